package stream

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
)

// maxPayload is the largest message of the embedded server: an array of 1,000
// events of 8 KiB. NATS advises to stay at or under it.
const maxPayload = 8 << 20

// syncInterval is how often the streams are forced to disk: what a loss of
// power can cost. NATS's own default is two minutes.
const syncInterval = time.Second

// startTimeout bounds the start of the embedded server, which reads the index
// of its streams: a minute is far over what the largest allowed stream takes.
const startTimeout = time.Minute

// A server is a NATS server with JetStream inside the process.
type server struct {
	*natsserver.Server
	listens bool
}

// startServer starts a server whose streams lie in dir/jetstream.
func startServer(dir, listen, token string, log *slog.Logger) (*server, error) {
	options := &natsserver.Options{
		ServerName: "hansei",
		JetStream:  true,
		StoreDir:   dir, // JetStream itself adds the folder jetstream
		MaxPayload: maxPayload,
		NoSigs:     true,
		DontListen: listen == "",
		// Per-stream caps bound the disk; the server's own default is a share of
		// what is free now, and would refuse the streams on a nearly full disk.
		JetStreamMaxStore: eventsBytes + quarantineBytes + 1<<30,
		Authorization:     token,
		SyncInterval:      syncInterval,
	}
	if listen != "" {
		if err := setListen(options, listen); err != nil {
			return nil, err
		}
	}
	s, err := natsserver.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("embedded NATS server in %s: %w", dir, err)
	}
	s.SetLoggerV2(natsLog{log}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTimeout) || !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("embedded NATS server in %s did not start: see the log lines above; the folder must be writable and no other process may use it", filepath.Join(dir, "jetstream"))
	}
	return &server{s, listen != ""}, nil
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

func (s *server) url() string {
	if !s.listens {
		return ""
	}
	return "nats://" + s.Addr().String()
}

func (s *server) close() {
	s.Shutdown()
	s.WaitForShutdown()
}

// natsLog passes the server's warnings and errors on; its notices are noise to us.
type natsLog struct{ log *slog.Logger }

func (l natsLog) Noticef(string, ...any) {}
func (l natsLog) Debugf(string, ...any)  {}
func (l natsLog) Tracef(string, ...any)  {}
func (l natsLog) Warnf(format string, v ...any) {
	l.log.Warn("NATS server", "err", fmt.Errorf(format, v...))
}
func (l natsLog) Errorf(format string, v ...any) {
	l.log.Error("NATS server", "err", fmt.Errorf(format, v...))
}
func (l natsLog) Fatalf(format string, v ...any) {
	l.log.Error("NATS server", "err", errors.Join(errors.New("cannot go on"), fmt.Errorf(format, v...)))
}
