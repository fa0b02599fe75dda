package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/fleet"
)

// fleetFlags are the flags of run that select a broker, whose workers run the trials.
type fleetFlags struct {
	brokerURL     string // empty: trials run in this process
	workerTimeout time.Duration
	access        accessFlags
}

// accessFlags are the flags with which a coordinator or a worker authenticates to its broker.
type accessFlags struct {
	tokenFile string
	tls       tlsFlags
}

// register adds the flags to a command. more is a prefix of their descriptions.
func (f *accessFlags) register(flags *pflag.FlagSet, more string) {
	flags.StringVar(&f.tokenFile, "token-file", "",
		more+"`FILE` with the broker's token (default: the one in the URL, or $NATS_TOKEN)")
	f.tls.registerClient(flags, more)
}

// address returns the address of the broker with the credentials from flags and environment. It
// adds the credentials to secrets, so that output is redacted.
func (f *accessFlags) address(url string, secrets *secret.Set) (a fleet.Address, err error) {
	a = brokerCredentials(secrets)
	a.URL = url
	secrets.AddFromURL(url)
	if f.tokenFile != "" {
		if a.Token, err = readToken(f.tokenFile); err != nil {
			return a, flagError("token-file", err)
		}
		a.User, a.Password = "", ""
		secrets.Add(a.Token)
	}
	a.TLS, err = f.tls.client()
	return a, err
}

// defaultWorkerTimeout is the time without a message after which a coordinator treats a worker as
// lost.
const defaultWorkerTimeout = 30 * time.Second

func (f *fleetFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.brokerURL, "broker", "",
		"run the trials on the workers of the broker at `URL`: nats://[TOKEN@]HOST:PORT")
	f.access.register(flags, "with --broker: ")
	flags.DurationVar(&f.workerTimeout, "worker-timeout", defaultWorkerTimeout,
		"with --broker: reassign the trials of a worker after this much `TIME` of silence")
}

func (f *fleetFlags) check() error {
	if f.brokerURL != "" {
		if err := checkBroker(f.brokerURL); err != nil {
			return flagError("broker", err)
		}
	}
	if f.workerTimeout != 0 && (f.workerTimeout < time.Second || f.workerTimeout > time.Hour) {
		return flagError("worker-timeout", fmt.Errorf("%v is not within 1s and 1h", f.workerTimeout))
	}
	return nil
}

// checkCombination returns an error if a flag is given that works only with --broker, or only
// without it.
func (f *fleetFlags) checkCombination(given func(string) bool) error {
	for _, name := range []string{"worker-timeout", "token-file", "tls-ca", "tls-cert", "tls-key"} {
		if f.brokerURL == "" && given(name) {
			return flagError(name, errors.New("goes with --broker"))
		}
	}
	if name := firstGiven(given, ofEachWorker|withoutWorkers); f.brokerURL != "" && name != "" {
		return flagError(name, errors.New("cannot be combined with --broker: set it on each worker"))
	}
	return nil
}

func checkBroker(url string) error {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || rest == "" || scheme != "nats" && scheme != "tls" {
		return fmt.Errorf("%q is not a broker URL: use nats://HOST:PORT or tls://HOST:PORT", secret.RedactURL(url))
	}
	return nil
}

// connectTimeout is the maximum time to connect to a broker at the start.
const connectTimeout = 30 * time.Second

// brokerTimeout is how long a run waits for a broker that is unavailable or accepts no messages.
const brokerTimeout = 10 * time.Minute

// coordinator connects to the broker and returns the coordinator of the run. It returns nil without
// --broker.
func (f *fleetFlags) coordinator(ctx context.Context, secrets *secret.Set, stderr io.Writer) (*fleet.Coordinator,
	error) {
	if f.brokerURL == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	at, err := f.access.address(f.brokerURL, secrets)
	if err != nil {
		return nil, err
	}
	at.ReconnectTimeout = brokerTimeout
	conn, err := fleet.Dial(ctx, at, redactedPrinter(secrets, stderr))
	if errors.Is(err, context.Canceled) {
		return nil, exit.ErrInterrupted
	}
	if err != nil {
		return nil, exit.InternalError(fmt.Errorf("--broker: %w", err))
	}
	return &fleet.Coordinator{Conn: conn, WorkerTimeout: f.workerTimeout}, nil
}

// brokerCredentials returns the broker credentials from the NATS environment variables and adds
// them to secrets.
func brokerCredentials(secrets *secret.Set) fleet.Address {
	a := fleet.Address{Token: os.Getenv("NATS_TOKEN"), User: os.Getenv("NATS_USER"),
		Password: os.Getenv("NATS_PASSWORD")}
	secrets.Add(a.Token, a.Password)
	return a
}

// redactedPrinter returns a function that prints a line to stderr without secrets.
func redactedPrinter(secrets *secret.Set, stderr io.Writer) func(string) {
	return func(text string) { fmt.Fprintln(stderr, "evalctl:", secrets.Redact(text)) }
}
