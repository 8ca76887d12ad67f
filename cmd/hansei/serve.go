package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// serveCmd runs the pipeline until SIGTERM.
type serveCmd struct {
	Listen     string `help:"Address of the pages and the HTTP API (default ${default})." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	NATSListen string `name:"nats-listen" help:"Address at which agents publish with their own NATS client (default ${default})." default:"127.0.0.1:4222" placeholder:"HOST:PORT"`
	Keep       age    `help:"How long events and bad input are kept; monthly counts outlive them. 0 is for ever (default ${default})." default:"400d" placeholder:"AGE"`
	Sync       string `help:"When the embedded server forces messages to disk: every second, or always, before each is acknowledged, which outlasts a loss of power and takes longer; then send atomic batches of NATS 2.12, as publish and import do: what is in one is forced to disk together (default ${default})." enum:"second,always" default:"second"`
	StreamAge  age    `help:"How long the stream keeps messages, as agents published them and with the secrets that the store does not get; a store can be rebuilt from them. Default: 30d for a new stream, and an existing one is left as it is." placeholder:"AGE"`
	StreamSize size   `help:"Most bytes of the stream, like 8GiB, which is what a new one gets." placeholder:"SIZE"`
	Policy     string `help:"Policy file that is put in force at the start, in the bucket HANSEI_POLICIES, where it is there and no newer one is in force; the change is kept with who and why (default ${default})." default:"policies.yaml" placeholder:"FILE"`
	deliverWhen
	deliverTo
}

// natsPatience is how long serve waits for an external NATS server: as long as
// it takes, since both may be starting.
const natsPatience = 100 * 365 * 24 * time.Hour

// shutdownPatience bounds the end of HTTP requests under way.
const shutdownPatience = 5 * time.Second

// Run serves; a batch under way is finished before it returns.
func (c *serveCmd) Run(a *app) error {
	for flag, address := range map[string]string{"--listen": c.Listen, "--nats-listen": c.NATSListen} {
		if err := guarded(flag, address, a.Token); err != nil {
			return err
		}
	}
	if c.Sync == syncAlways && !a.embedded() {
		return usageError{errors.New("--sync always is of the embedded server: for another one set sync_interval: always in the jetstream part of its configuration")}
	}
	if _, err := c.schedule(a); err != nil {
		return err // before anything is opened
	}
	if _, err := c.options(a); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("--listen %s: %w\nanother program has this port: end it or choose another port", c.Listen, err)
	}
	if err != nil {
		return fmt.Errorf("--listen %s: %w; choose an address of this machine and a port that you may open", c.Listen, err)
	}
	defer listener.Close() // the HTTP server closes it first; then this does nothing
	f, err := lockFolder(a.ctx, a.Data)
	if err != nil {
		return err
	}
	here := runningServer{PID: os.Getpid(), HTTP: "http://" + reachable(listener.Addr())}
	gate := &gate{}
	ctx, stop := context.WithCancel(a.ctx)
	defer stop()
	served := make(chan error, 1)
	go func() {
		defer stop() // without its pages the program ends
		served <- serveHTTP(ctx, listener, gate)
	}()
	err = a.servePipeline(ctx, f, c, here, gate)
	stop()
	return errors.Join(err, <-served)
}

// servePipeline opens the pipeline, which may wait for a NATS server, lets the
// HTTP server answer for it, and runs it until ctx ends.
func (a *app) servePipeline(ctx context.Context, f *folder, c *serveCmd, here runningServer, gate *gate) error {
	log := a.serveLog()
	waiting := *a
	waiting.ctx = ctx
	o := pipelineOptions{wait: natsPatience, live: true, threads: servingThreads, log: log, streamAge: time.Duration(c.StreamAge), streamBytes: int64(c.StreamSize), sync: c.Sync}
	if a.embedded() {
		o.listen = c.NATSListen
	}
	if err := f.announce(here); err != nil {
		return errors.Join(err, f.Close())
	}
	p, err := waiting.openPipeline(f, o)
	if err != nil {
		return errors.Join(err, f.clean())
	}
	here.NATS = p.client.URL()
	log.Info("serving", "http", here.HTTP, "nats", here.NATS, "data", a.Data)
	if err := p.offerPolicies(ctx, c.Policy, log); errors.As(err, new(*errNotInForce)) {
		log.Warn("the policy file is not put in force", "err", err)
	} else if err != nil {
		log.Warn("agents cannot watch policies", "err", err) // events are stored all the same
	}
	err = f.announce(here)
	var deliver func(context.Context)
	if err == nil {
		deliver, err = p.startDelivery(a, c)
	}
	if err == nil {
		pages := a.pages(p)
		p.page = pages.Live
		gate.open(a.handler(p, pages))
		err = p.runBeside(ctx, func(ctx context.Context) { p.expire(ctx, time.Duration(c.Keep)) }, deliver, func(ctx context.Context) { p.warm(ctx, pages) }, p.rules.watch, p.followEvents, boundHeap)
		pages.Close()
	}
	return errors.Join(err, f.clean(), p.Close())
}

// serveHTTP answers requests until ctx ends.
func serveHTTP(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := newServer(handler)
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownPatience)
	defer cancel()
	err := server.Shutdown(patience)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-done
	return err
}

// A gate answers that the program is starting until it is opened.
type gate struct{ handler atomic.Pointer[http.Handler] }

func (g *gate) open(h http.Handler) { g.handler.Store(&h) }

// ServeHTTP passes the request on once the gate is open.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := g.handler.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	http.Error(w, errStarting.Error(), http.StatusServiceUnavailable)
}

// guarded refuses to listen beyond this machine without a token.
func guarded(flag, address, token string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return usageError{fmt.Errorf("%s %s: %v; write it like 127.0.0.1:8080", flag, address, err)}
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return usageError{fmt.Errorf("%s %s: %s is not a port; choose one from 0 to 65535", flag, address, port)}
	}
	ip := net.ParseIP(host)
	if token == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usageError{fmt.Errorf("%s %s is open to other machines: set --token, or listen on 127.0.0.1", flag, address)}
	}
	return nil
}

// reachable is the address at which this machine reaches a listener on all addresses.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	return addr.String()
}
