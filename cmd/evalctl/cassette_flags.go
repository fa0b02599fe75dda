package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"evalctl/agent/file"
	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/build"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
	"evalctl/mocks/cassette"
	"evalctl/mocks/responses"
)

// cassetteFlags are the flags --record, --replay and --cache. They select a cassette to record or
// replay, or a response cache.
type cassetteFlags struct {
	record, replay, cache string

	recorder *cassette.Recorder
	isNew    bool // the cassette file did not exist before
	player   *cassette.Player
	store    *responses.Cache
}

func (f *cassetteFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.record, "record", "",
		"record requests and responses of real endpoints to the cassette `FILE`, without secrets")
	flags.StringVar(&f.replay, "replay", "",
		"answer requests from the cassette `FILE`, in simulated time and without keys")
	flags.StringVar(&f.cache, "cache", "", "response cache `DIR` for real endpoints; cached answers have no latency")
}

// check returns an error if the flags cannot be combined.
func (f *cassetteFlags) check() error {
	switch {
	case f.record != "" && f.replay != "":
		return flagError("record", errors.New("cannot be combined with --replay"))
	case f.cache != "" && f.record != "":
		return flagError("cache",
			errors.New("cannot be combined with --record: cached answers would be missing in the cassette"))
	case f.cache != "" && f.replay != "":
		return flagError("cache", errors.New("cannot be combined with --replay: a cassette makes no requests"))
	}
	return nil
}

// applyDefaults adds the settings that a system defines for recordings to all its variants. It does
// not change settings that a variant already has.
func (f *cassetteFlags) applyDefaults(suites []suite.Suite) {
	if f.record == "" && f.replay == "" && f.cache == "" {
		return
	}
	for i, s := range suites {
		for _, set := range s.System().Settings {
			if set.RecordingDefault != "" {
				suites[i].Variants = withDefaultSetting(suites[i].Variants, set.Name, set.RecordingDefault)
			}
		}
	}
}

// withDefaultSetting sets a setting in the variants that do not have it.
func withDefaultSetting(variants []suite.Variant, name, value string) []suite.Variant {
	variants = slices.Clone(variants)
	for i, v := range variants {
		if v.Settings[name] == "" {
			settings := map[string]string{}
			maps.Copy(settings, v.Settings)
			settings[name] = value
			variants[i].Settings = settings
		}
	}
	return variants
}

func (f *cassetteFlags) open(ctx context.Context, secrets *secret.Set, warn func(string)) (err error) {
	switch {
	case f.cache != "":
		if f.store, err = responses.Open(f.cache, responses.Config{Redact: secrets.Redact, Warn: warn}); err != nil {
			return flagError("cache", err)
		}
	case f.record != "":
		_, missing := os.Stat(f.record)
		f.isNew = errors.Is(missing, fs.ErrNotExist)
		if f.recorder, err = openRecorder(f.record); err != nil {
			return flagError("record", err)
		}
		f.recorder.Redact = secrets.Redact
		f.recorder.OnError = func(err error) {
			warn(fmt.Sprintf("--record: %v: nothing more is recorded, and the run goes on", err))
		}
	case f.replay != "":
		c, err := openCassette(ctx, f.replay)
		if err != nil {
			return flagError("replay", err)
		}
		f.player = &cassette.Player{Cassette: c, Redact: secrets.Redact}
	}
	return nil
}

func openRecorder(path string) (*cassette.Recorder, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a file", path)
	}
	to, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	r, err := cassette.NewRecorder(to,
		cassette.FileHeader{Started: time.Now().UTC().Truncate(time.Second), CreatedBy: "evalctl " + build.Version()})
	if err != nil {
		return nil, errors.Join(err, to.Close())
	}
	return r, nil
}

func openCassette(ctx context.Context, path string) (*cassette.Cassette, error) {
	f, err := file.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such cassette", path)
	}
	if err != nil {
		return nil, err
	}
	c, err := cassette.Load(ctx, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

// addTo inserts the recorder, replay or cache into o as the middleware closest to the agent. There
// it receives every request.
func (f *cassetteFlags) addTo(o *play.EndpointOptions) {
	switch {
	case f.store != nil:
		o.Cache = play.NewRunResponseCache(f.store)
		o.Middleware = append([]backend.Middleware{o.Cache.Middleware()}, o.Middleware...)
	case f.recorder != nil:
		o.Middleware, o.Recording = append([]backend.Middleware{backend.WithRecording(f.recorder)},
			o.Middleware...), true
		o.Cassette = f.record
	case f.player != nil:
		o.Replay, o.Cassette = play.NewReplay(f.player), f.replay
		o.Middleware = append([]backend.Middleware{o.Replay.Middleware()}, o.Middleware...)
	}
}

// close closes the cassette and the cache after a run and prints a summary. ran is the error of the
// run. If data could not be written, close returns an internal error instead of ran.
func (f *cassetteFlags) close(ran error, quiet bool, stderr io.Writer) error {
	var err error
	switch {
	case f.store != nil:
		hits, misses := f.store.Stats()
		if err = f.store.Err(); err == nil && hits+misses > 0 && !quiet {
			fmt.Fprintf(stderr, "%d of %d calls answered from %s\n", hits, hits+misses, f.cache)
		}
		if f.store.EvictedCount() > 0 && !quiet {
			fmt.Fprintf(stderr, "%s was too large: %d answers that were not used for long are gone\n",
				f.cache, f.store.EvictedCount())
		}
	case f.recorder != nil:
		n := f.recorder.Recorded()
		if err = f.recorder.Close(); err == nil && n == 0 && f.isNew && ran != nil {
			err = os.Remove(f.record)
		}
		if err == nil && n > 0 && !quiet {
			fmt.Fprintf(stderr, "%d exchanges recorded in %s\n", n, f.record)
		}
	case f.player != nil:
		err = f.player.Cassette.Close()
		if f.player.Cassette.Truncated && !quiet {
			fmt.Fprintf(stderr, "%s: its last line was not written to its end, and was left out\n", f.replay)
		}
	}
	if err != nil {
		return exit.InternalError(cmp.Or(ran, fmt.Errorf("%s: %w", cmp.Or(f.record, f.replay, f.cache), err)))
	}
	return ran
}
