package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
)

// serveCmd runs the pipeline until SIGTERM.
type serveCmd struct {
	Listen     string `help:"Address of the HTTP API and pages (default ${default})." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	NATSListen string `name:"nats-listen" help:"Address at which agents publish with their own NATS client (default ${default})." default:"127.0.0.1:4222" placeholder:"HOST:PORT"`
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
	log := a.serveLog()
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w\nanother program has this port: end it or choose another port", c.Listen, err)
	}
	defer listener.Close() // the HTTP server closes it first; then this does nothing
	o := pipelineOptions{wait: natsPatience, live: true, log: log}
	if a.NATSURL == "" && a.Context == "" {
		o.listen = c.NATSListen
	}
	p, err := a.openPipeline(o)
	if err != nil {
		return err
	}
	here := runningServer{PID: os.Getpid(), HTTP: "http://" + reachable(listener.Addr()), NATS: p.client.URL()}
	log.Info("serving", "http", here.HTTP, "nats", here.NATS, "data", a.Data)
	err = errors.Join(p.folder.announce(here), a.serveUntilDone(listener, p))
	return errors.Join(err, p.folder.clean(), p.Close())
}

// serveUntilDone runs the pipeline and the HTTP server until one fails or the
// program is to stop, and waits for both.
func (a *app) serveUntilDone(listener net.Listener, p *pipeline) error {
	group, ctx := errgroup.WithContext(a.ctx)
	p.stopping = ctx
	server := &http.Server{Handler: a.handler(p), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	group.Go(func() error {
		err := p.Run(ctx)
		p.fail(err)
		return err
	})
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownPatience)
		defer cancel()
		if err := server.Shutdown(patience); errors.Is(err, context.DeadlineExceeded) {
			return server.Close()
		}
		return nil
	})
	return group.Wait()
}

// guarded refuses to listen beyond this machine without a token.
func guarded(flag, address, token string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return usageError{fmt.Errorf("%s %s: %v; write it like 127.0.0.1:8080", flag, address, err)}
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
