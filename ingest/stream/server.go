package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// maxPayload is the largest message of the embedded server: an array of 1,000
// events of 8 KiB. NATS advises to stay at or under it.
const maxPayload = 8 << 20

// syncInterval is how often the streams are forced to disk, unless that is done
// for every message: what a loss of power can cost. NATS's own default is two minutes.
const syncInterval = time.Second

// startTimeout bounds the start of the embedded server, which reads the index
// of its streams: a minute is far over what the largest allowed stream takes.
const startTimeout = time.Minute

// A server is a NATS server with JetStream inside the process. After a full
// disk JetStream refuses every message until it is started again, which the
// server does by itself once the disk takes bytes.
type server struct {
	options *natsserver.Options
	log     *slog.Logger
	listens bool
	failed  chan struct{} // told when a message could not be written
	stop    context.CancelFunc
	stopped chan struct{} // closed when the watch has ended

	mu      sync.RWMutex
	current *natsserver.Server
	trouble error // why messages are not written now; nil when they are
	damage  damage
}

// startServer starts the server of o, whose streams lie in its Dir/jetstream.
func startServer(o Options) (*server, error) {
	dir, listen, token, log := o.Dir, o.Listen, o.Token, o.Log
	streams := filepath.Join(dir, "jetstream")
	if info, err := os.Stat(streams); err == nil && !info.IsDir() { // the server would log it, and not end
		return nil, fmt.Errorf("embedded NATS server: %s is a file, where the folder of the streams belongs; move it away", streams)
	}
	options := &natsserver.Options{
		ServerName: "hansei",
		JetStream:  true,
		StoreDir:   dir, // JetStream itself adds the folder jetstream
		MaxPayload: maxPayload,
		NoSigs:     true,
		DontListen: listen == "",
		// Per-stream caps bound the disk; the server's own default is a share of
		// what is free now, and would refuse the streams on a nearly full disk.
		JetStreamMaxStore: max(o.MaxBytes, eventsBytes) + quarantineBytes + 1<<30,
		Authorization:     token,
		SyncInterval:      syncInterval,
		SyncAlways:        o.SyncAlways,
	}
	if listen != "" {
		if err := setListen(options, listen); err != nil {
			return nil, err
		}
	}
	s := &server{options: options, log: log, listens: listen != "", failed: make(chan struct{}, 1), stopped: make(chan struct{})}
	if err := s.start(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() {
		defer close(s.stopped)
		s.watch(ctx)
	}()
	return s, nil
}

// start starts the server that options describe, and sees to damaged files.
func (s *server) start() (err error) {
	guard, err := newGuard(s.options.StoreDir)
	if err != nil {
		s.log.Warn("no copy of the stream's last messages, which the NATS server may cut off where they are damaged", "err", err)
	}
	defer func() { err = errors.Join(err, guard.close()) }()
	next, err := s.launch()
	for range mostMends {
		if err != nil || guard == nil {
			break
		}
		var unopened bool
		if unopened, err = s.guarded(guard, next); !unopened {
			break
		}
		next.Shutdown()
		next.WaitForShutdown()
		if err = guard.mend(); err == nil {
			next, err = s.launch()
		}
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.trouble = next, nil
	found := readDamage(s.options.StoreDir)
	if guard != nil && guard.damage.Lost > 0 {
		found = guard.damage
	}
	if found.Lost > 0 {
		s.damage = found
		s.log.Error("the files of the stream are damaged", "bytes", found.Lost, "aside", found.Aside)
	}
	if tcp, ok := next.Addr().(*net.TCPAddr); ok && s.listens {
		s.options.Port = tcp.Port // a restart keeps it
	}
	return nil
}

// guarded asks a server just started what it made of the stream.
func (s *server) guarded(guard *guard, next *natsserver.Server) (unopened bool, err error) {
	nc, err := nats.Connect("", nats.InProcessServer(next), nats.Token(s.options.Authorization))
	if err != nil {
		return false, err
	}
	defer nc.Close()
	return guard.opened(context.Background(), nc)
}

// mostMends is how often a stream that does not open is tried: without the
// damaged blocks, without the stream, and once more.
const mostMends = 3

// launch starts a server that options describe.
func (s *server) launch() (*natsserver.Server, error) {
	next, err := natsserver.NewServer(s.options.Clone())
	if err != nil {
		return nil, fmt.Errorf("embedded NATS server in %s: %w", s.options.StoreDir, err)
	}
	next.SetLoggerV2(natsLog{s}, false, false, false)
	next.Start()
	if !next.ReadyForConnections(startTimeout) || !next.JetStreamEnabled() {
		next.Shutdown()
		return nil, fmt.Errorf("embedded NATS server in %s did not start: see the log lines above; the folder must be writable and no other process may use it", filepath.Join(s.options.StoreDir, "jetstream"))
	}
	return next, nil
}

// InProcessConn connects to the server that runs now; nats.go calls it for
// every connection and reconnection.
func (s *server) InProcessConn() (net.Conn, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.current.InProcessConn()
}

// retryDisk is how often a full disk is tried again.
const retryDisk = 2 * time.Second

// watch starts the server anew after messages could not be written, once the
// disk takes bytes again.
func (s *server) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.failed:
		}
		for s.writable() != nil {
			select {
			case <-ctx.Done():
				return
			case <-time.After(retryDisk):
			}
		}
		s.log.Warn("the disk takes messages again, starting the embedded NATS server anew")
		s.shutdown()
		if err := s.start(); err != nil {
			s.log.Error("embedded NATS server", "err", err)
			s.fail(err)
		}
	}
}

// writable tells whether the folder of the streams takes a block.
func (s *server) writable() error {
	f, err := os.CreateTemp(s.options.StoreDir, ".hansei-room-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, roomBytes))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// roomBytes is what must be free before the server starts anew: a block of a
// stream and its index.
const roomBytes = 16 << 20

func (s *server) fail(err error) {
	s.mu.Lock()
	s.trouble = err
	s.mu.Unlock()
	select {
	case s.failed <- struct{}{}:
	default: // told already
	}
}

// healthy returns why messages are not written now.
func (s *server) healthy() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.trouble
}

// damaged returns what was wrong with the files of the stream when they were
// opened last.
func (s *server) damaged() damage {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.damage
}

// setListen checks the address first: the server would only log that it is taken.
func setListen(options *natsserver.Options, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("--nats-listen %s: %v; write it like 127.0.0.1:4222", listen, err)
	}
	probe, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("--nats-listen %s: %w\nanother program has this port: end it, choose another port, or use its server with --nats-url", listen, err)
	}
	defer probe.Close()
	options.Host = host
	options.Port, _ = strconv.Atoi(port) // net.Listen has read it
	if options.Port == 0 {
		options.Port = natsserver.RANDOM_PORT
	}
	return nil
}

// heard reports whether a client of the server that runs now listens to subject.
func (s *server) heard(subject string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.current.GlobalAccount().SubscriptionInterest(subject)
}

func (s *server) url() string {
	if !s.listens {
		return ""
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return "nats://" + s.current.Addr().String()
}

func (s *server) shutdown() {
	s.mu.RLock()
	current := s.current
	s.mu.RUnlock()
	current.Shutdown()
	current.WaitForShutdown()
}

func (s *server) close() {
	s.stop()
	<-s.stopped
	s.shutdown()
}

// notStored begins what the server logs when it could not write a message. It
// tells of that in no other way.
const notStored = "JetStream failed to store a msg"

// natsLog passes the server's warnings and errors on; its notices are noise to us.
type natsLog struct{ *server }

// Noticef, Debugf and Tracef are not passed on.
func (l natsLog) Noticef(string, ...any) {}

// Debugf is not passed on.
func (l natsLog) Debugf(string, ...any) {}

// Tracef is not passed on.
func (l natsLog) Tracef(string, ...any) {}

// Warnf passes a warning on.
func (l natsLog) Warnf(format string, v ...any) {
	l.log.Warn("NATS server", "err", fmt.Errorf(format, v...))
}

// Errorf passes an error on, and sets a restart off when messages are not written.
func (l natsLog) Errorf(format string, v ...any) {
	err := fmt.Errorf(format, v...)
	if !strings.HasPrefix(err.Error(), notStored) {
		l.log.Error("NATS server", "err", err)
		return
	}
	if l.healthy() == nil {
		l.log.Error("the stream takes nothing; free space on its disk, then it goes on by itself", "err", err)
	}
	l.fail(err)
}

// Fatalf passes on that the server cannot go on.
func (l natsLog) Fatalf(format string, v ...any) {
	l.log.Error("NATS server cannot go on", "err", fmt.Errorf(format, v...))
}
