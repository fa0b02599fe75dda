// Package broker runs an embedded NATS server with JetStream, through which a coordinator
// distributes a run to workers. Every message that it acknowledges is on disk.
package broker

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Config configures the embedded message broker.
type Config struct {
	Dir                   string       // directory of the stored messages
	Addr                  string       // address to listen on, as HOST:PORT; port 0 selects a free port
	Token, User, Password string       // credentials that clients must send; empty: no authentication
	TLS                   *tls.Config  // TLS settings of the server; nil: no TLS
	MaxStoreBytes         int64        // maximum size of the stored messages, in bytes; 0: DefaultMaxStoreBytes
	Warn                  func(string) // receives the warnings and errors of the server
}

// DefaultMaxStoreBytes is the default of Config.MaxStoreBytes, in bytes.
const DefaultMaxStoreBytes = 16 << 30

// Limits for clients: the size of a message in bytes, and the number of connections.
const (
	maxPayload = 8 << 20
	maxClients = 10_000
)

// startTimeout is the time limit for starting the server, including reading its messages.
const startTimeout = time.Minute

// tlsTimeout is the time limit for a TLS handshake, in seconds.
const tlsTimeout = 5

// Broker is a running message broker.
type Broker struct {
	server *server.Server
	failed chan error
	tls    bool
	local  bool
}

// Start starts a message broker and waits until it accepts connections.
func Start(c Config) (*Broker, error) {
	host, text, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return nil, fmt.Errorf("%s: %q is not a port", c.Addr, text)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if c.Token == "" && c.User == "" && !isLoopback(host) {
		return nil, fmt.Errorf("%s: other machines can connect: set a token in $NATS_TOKEN, for the broker and the workers", c.Addr)
	}
	opts := &server.Options{
		ServerName:         "evalctl",
		Host:               host,
		Port:               port,
		JetStream:          true,
		StoreDir:           c.Dir,
		SyncAlways:         true,
		JetStreamMaxStore:  cmp.Or(c.MaxStoreBytes, DefaultMaxStoreBytes),
		JetStreamMaxMemory: 64 << 20,
		MaxPayload:         maxPayload,
		MaxConn:            maxClients,
		Authorization:      c.Token,
		Username:           c.User,
		Password:           c.Password,
		NoSigs:             true,
	}
	if c.TLS != nil {
		opts.TLS = true
		opts.TLSConfig = c.TLS
		opts.TLSVerify = c.TLS.ClientAuth == tls.RequireAndVerifyClientCert
		opts.TLSTimeout = tlsTimeout
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, err
	}
	failed := make(chan error, 1)
	s.SetLoggerV2(log{c.Warn, failed}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTimeout) {
		s.Shutdown()
		return nil, errors.New("the broker does not start to listen: is the address free?")
	}
	return &Broker{
		server: s,
		failed: failed,
		tls:    c.TLS != nil,
		local:  isLoopback(host),
	}, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// URL returns the address for clients, without credentials.
func (b *Broker) URL() string {
	if b.tls {
		return "tls://" + b.server.Addr().String()
	}
	return "nats://" + b.server.Addr().String()
}

// IsLocal reports whether the broker can be reached only from this machine.
func (b *Broker) IsLocal() bool { return b.local }

// Failed returns a channel that receives an error when a disk failure stops the broker from
// accepting messages. The broker must then be restarted.
func (b *Broker) Failed() <-chan error { return b.failed }

// Close stops the broker. The stored messages remain in its directory.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

// log passes the warnings and errors of the NATS server to the caller.
type log struct {
	warn   func(string)
	failed chan<- error
}

// fatal lists texts in log messages after which the server stores no more messages.
var fatal = []string{"Critical write error", "will be DISABLED", "disabling JetStream", "no space left on device"}

// forward passes a message of the server on. It also reports whether the server has failed.
func (l log) forward(format string, args []any) {
	text := fmt.Sprintf(format, args...)
	l.warn(text)
	if !slices.ContainsFunc(fatal, func(part string) bool { return strings.Contains(text, part) }) {
		return
	}
	err := fmt.Errorf("writing to its disk failed: %s", text)
	if strings.Contains(text, "no space left") || strings.Contains(text, "out of") {
		err = errFull
	}
	select {
	case l.failed <- err:
	default: // only the first error is reported
	}
}

// errFull is returned if the broker's disk is full.
var errFull = errors.New("disk full: free some space and start the broker again")

func (log) Noticef(string, ...any) {}
func (log) Debugf(string, ...any)  {}
func (log) Tracef(string, ...any)  {}

func (l log) Warnf(format string, args ...any)  { l.forward(format, args) }
func (l log) Errorf(format string, args ...any) { l.forward(format, args) }
func (l log) Fatalf(format string, args ...any) { l.forward(format, args) }
