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

// fleetFlags say where workers are that play the trials of a run.
type fleetFlags struct {
	workers string // URL of the broker; "": this process plays
	lost    time.Duration
	access  accessFlags
}

// accessFlags say how a coordinator or a worker is let in by a broker.
type accessFlags struct {
	tokenFile string
	tls       tlsFlags
}

// register adds the flags; more stands before what they are.
func (f *accessFlags) register(flags *pflag.FlagSet, more string) {
	flags.StringVar(&f.tokenFile, "token-file", "", more+"`FILE` with the broker's token (default: the one in the URL, or $NATS_TOKEN)")
	f.tls.registerClient(flags, more)
}

// to is the address of a broker with what the flags and the environment say of who asks. No
// output repeats it.
func (f *accessFlags) to(url string, secrets *secret.Set) (a fleet.Address, err error) {
	a = environment(secrets)
	a.URL = url
	secrets.AddURL(url)
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

// silence is how long nothing is heard of a worker until it is lost.
const silence = 30 * time.Second

func (f *fleetFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.workers, "broker", "", "run the trials on the workers of the broker at `URL`: nats://[TOKEN@]HOST:PORT")
	f.access.register(flags, "with --broker: ")
	flags.DurationVar(&f.lost, "worker-timeout", silence, "with --broker: reassign the trials of a worker after this much `TIME` of silence")
}

// check finds bad values.
func (f *fleetFlags) check() error {
	if f.workers != "" {
		if err := checkBroker(f.workers); err != nil {
			return flagError("broker", err)
		}
	}
	if f.lost != 0 && (f.lost < time.Second || f.lost > time.Hour) {
		return flagError("worker-timeout", fmt.Errorf("%v is not within 1s and 1h", f.lost))
	}
	return nil
}

// refuse names a flag that says nothing where workers play, or nothing where none do.
func (f *fleetFlags) refuse(given func(string) bool) error {
	for _, name := range []string{"worker-timeout", "token-file", "tls-ca", "tls-cert", "tls-key"} {
		if f.workers == "" && given(name) {
			return flagError(name, errors.New("goes with --broker"))
		}
	}
	if name := firstGiven(given, ofEachWorker|withoutWorkers); f.workers != "" && name != "" {
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

// firstPatience is how long a coordinator waits for a broker that is not there.
const firstPatience = 30 * time.Second

// brokerPatience is how long a run waits for a broker that has gone, or takes nothing.
const brokerPatience = 10 * time.Minute

// coordinator is nil where this process plays.
func (f *fleetFlags) coordinator(ctx context.Context, secrets *secret.Set, stderr io.Writer) (*fleet.Coordinator, error) {
	if f.workers == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, firstPatience)
	defer cancel()
	at, err := f.access.to(f.workers, secrets)
	if err != nil {
		return nil, err
	}
	at.ReconnectTimeout = brokerPatience
	conn, err := fleet.Dial(ctx, at, tell(secrets, stderr))
	if errors.Is(err, context.Canceled) {
		return nil, exit.ErrInterrupted
	}
	if err != nil {
		return nil, exit.InternalError(fmt.Errorf("--broker: %w", err))
	}
	return &fleet.Coordinator{Conn: conn, Lost: f.lost}, nil
}

// environment says who asks, and who may.
func environment(secrets *secret.Set) fleet.Address {
	a := fleet.Address{Token: os.Getenv("NATS_TOKEN"), User: os.Getenv("NATS_USER"), Password: os.Getenv("NATS_PASSWORD")}
	secrets.Add(a.Token, a.Password)
	return a
}

// tell shows lines on stderr.
func tell(secrets *secret.Set, stderr io.Writer) func(string) {
	return func(text string) { fmt.Fprintln(stderr, "evalctl:", secrets.Redact(text)) }
}
