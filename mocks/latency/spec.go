package latency

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Parse parses a response time model: "constant:50ms", "lognormal:800ms,0.4" (median, sigma) or
// "tokens:300ms,20ms" (until the first token, between chunks). Each may be followed by
// ",keepalive=N". "" and "none" mean no latency.
func Parse(s string) (Latency, error) {
	if s == "" || s == "none" {
		return Latency{}, nil
	}
	kind, rest, _ := strings.Cut(s, ":")
	l := Latency{Kind: Kind(kind)}
	if err := l.Validate(); err != nil {
		return Latency{}, fmt.Errorf("latency %q: %w", s, err)
	}
	args := strings.Split(rest, ",")
	if n, found := strings.CutPrefix(args[len(args)-1], "keepalive="); found {
		k, err := strconv.Atoi(n)
		if err != nil {
			return Latency{}, fmt.Errorf("latency %q: bad keepalive %q: want a number", s, n)
		}
		l.KeepAliveLines, args = k, args[:len(args)-1]
	}
	if err := l.parseArgs(args); err != nil {
		return Latency{}, fmt.Errorf("latency %q: %w", s, err)
	}
	if err := l.Validate(); err != nil {
		return Latency{}, fmt.Errorf("latency %q: %w", s, err)
	}
	return l, nil
}

func (l *Latency) parseArgs(args []string) (err error) {
	want := 2
	if l.Kind == KindConstant {
		want = 1
	}
	if len(args) != want {
		return fmt.Errorf("%s requires %d values: %s", l.Kind, want, forms)
	}
	if l.Base, err = time.ParseDuration(args[0]); err != nil {
		return fmt.Errorf("bad duration %q", args[0])
	}
	switch l.Kind {
	case KindLogNormal:
		if l.Sigma, err = strconv.ParseFloat(args[1], 64); err != nil {
			return fmt.Errorf("bad sigma %q", args[1])
		}
	case KindPerToken:
		if l.PerToken, err = time.ParseDuration(args[1]); err != nil {
			return fmt.Errorf("bad duration %q", args[1])
		}
	}
	return nil
}
