package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"evalctl/cmd/evalctl/exit"
	"evalctl/datasets"
	"evalctl/eval/suggest"
	"evalctl/mocks"
	"evalctl/mocks/backend"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
)

func mockCommand() *cobra.Command {
	return group(&cobra.Command{Use: "mock", Short: "Simulated providers"}, mockServeCommand())
}

type mockFlags struct {
	addr, dataset, script, key string
	columns                    datasets.CSVColumns // columns of dataset, if it is a CSV file
	accuracy                   float64
	latencies, faults          []string
	seed                       uint64
	queueTime, taskDuration    time.Duration
	strict                     bool
	hostGuard                  hostGuardFlags
}

func mockServeCommand() *cobra.Command {
	var f mockFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve all simulated providers over HTTP",
		Long: `Serve OpenAI, DeepSeek, DashScope and Ark, the search engines Tavily and Bocha,
and a RAGFlow that finds passages, on one port, each in its own
wire format. The deciding model and the reviewing model answer from the dataset's
labels, or from a script. Prompts are ignored. Texts without a label get the fallback
label; with your own labels, the last one. If the request offers a tool named like the
label, the mock calls it. tool_choice, n, logprobs and JSON schemas are accepted or
refused as each provider does. Components with special answer formats are recognized
by the model's name (COMPONENT or COMPONENT/NAME) or the prompt.

The base URLs are printed, one per line. Ctrl-C stops the server. Requests for another
host, requests from web pages and requests of type text/plain are refused.`,
		Example: `  evalctl mock serve --addr 127.0.0.1:8080
  evalctl mock serve --accuracy 0.8 --latency router=lognormal:600ms,0.4 --fault chat:rate_limited%5`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.serve(cmd.Context(), cmd.OutOrStdout()) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 selects a free one")
	flags.StringVar(&f.dataset, "dataset", "",
		"cases whose labels the models know: a `FILE` or a shipped set (all shipped sets)")
	registerColumns(flags, &f.columns)
	flags.Float64Var(&f.accuracy, "accuracy", 1, "`SHARE` of right answers of the deciding model")
	flags.StringVar(&f.script, "script", "", "YAML `FILE` of answers, in place of the labels")
	flags.StringArrayVar(&f.latencies, "latency", nil, "latency `COMPONENT=LATENCY`, as in chat=tokens:300ms,20ms")
	flags.StringSliceVar(&f.faults, "fault", nil, "injected fault `COMPONENT:KIND[@N|%P]`")
	flags.DurationVar(&f.taskDuration, "task-duration", 0, "`TIME` that an asynchronous image task runs")
	flags.DurationVar(&f.queueTime, "task-queue-time", 0, "`TIME` that an image task is queued and can be canceled")
	flags.StringVar(&f.key, "api-key", "", "the only accepted API `KEY` (any non-empty key)")
	flags.Uint64Var(&f.seed, "seed", 1, "`SEED` of all random numbers")
	flags.BoolVar(&f.strict, "strict", false,
		"refuse withdrawn models (DeepSeek), unknown keys (OpenAI) and models that GET /models does not list")
	f.hostGuard.register(flags)
	cmd.MarkFlagsMutuallyExclusive("script", "dataset")
	cmd.MarkFlagsMutuallyExclusive("script", "accuracy")
	return cmd
}

func (f *mockFlags) serve(ctx context.Context, stdout io.Writer) error {
	cfg, err := exit.CallInterruptible(ctx, f.config)
	if err != nil {
		return err
	}
	handler, err := mocks.New(cfg)
	if err != nil {
		return err
	}
	guarded, err := f.hostGuard.guard(f.addr, handler)
	if err != nil {
		return err
	}
	server := defaultServerLimits.server(guarded)
	return listen(ctx, f.addr, server, func(url string) error { return printBases(stdout, url) }, server.Close)
}

func printBases(w io.Writer, host string) error {
	for _, b := range []struct{ name, path string }{
		{"openai", "/v1"}, {"deepseek", ""}, {"dashscope", "/compatible-mode/v1"}, {"dashscope-native", "/api/v1"},
		{"ark", "/api/v3"},
		{"tavily", ""}, {"bocha", "/v1"}, {"ragflow", ""},
	} {
		if _, err := fmt.Fprintf(w, "%-17s %s%s\n", b.name, host, b.path); err != nil {
			return err
		}
	}
	return nil
}

func (f *mockFlags) config() (mocks.Config, error) {
	cfg := mocks.Config{
		Components: backend.AllComponents(),
		Corpora:    backend.AllCorpora(),
		Seed:       f.seed,
		APIKey:     f.key,
		Strict:     f.strict,
		Latency:    map[string]latency.Latency{},
		Images:     mocks.ImageConfig{Pending: f.queueTime, Running: f.taskDuration, ServeImages: true},
	}
	if f.taskDuration < 0 {
		return cfg, flagError("task-duration", fmt.Errorf("%v is negative", f.taskDuration))
	}
	if f.queueTime < 0 {
		return cfg, flagError("task-queue-time", fmt.Errorf("%v is negative", f.queueTime))
	}
	for _, text := range f.latencies {
		if err := setLatency(cfg, text); err != nil {
			return cfg, flagError("latency", err)
		}
	}
	var err error
	if cfg.Faults, err = wireFaults(cfg.Components, f.faults); err != nil {
		return cfg, flagError("fault", err)
	}
	for _, one := range cfg.Faults {
		if one.Kind == fault.FallbackLabel && f.script != "" {
			return cfg, flagError("fault", fmt.Errorf("%s: does not apply to a script, whose answers are fixed", one))
		}
	}
	cfg.Model, err = f.model()
	return cfg, err
}

// wireFaults parses the faults of a mock server or proxy. A fault names a component or a role. It
// applies to every component that a request may come from.
func wireFaults(parts component.Components, specs []string) (list []fault.Fault, err error) {
	if specs == nil {
		return nil, nil
	}
	spec := strings.Join(specs, "+")
	faults, err := backend.ParseFaults(spec)
	if err != nil {
		byWork, wrong := fault.Parse(spec, parts) // the spec may name a role instead of a component
		if wrong != nil {
			return nil, err
		}
		faults = byWork
	}
	for _, one := range faults {
		for _, one.Component = range matchedComponents(parts, one.Component) {
			list = append(list, one)
		}
	}
	return list, nil
}

func setLatency(cfg mocks.Config, text string) error {
	part, spec, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("%q is not COMPONENT=LATENCY, as in chat=tokens:300ms,20ms", text)
	}
	if err := suggest.CheckKnown("component", part, cfg.Components.Names()); err != nil {
		return err
	}
	l, err := latency.Parse(spec)
	for _, name := range matchedComponents(cfg.Components, part) {
		cfg.Latency[name] = l
	}
	return err
}

// matchedComponents returns the components that a request to part may come from. These are part
// itself, if the request names it, and the component that represents its role.
func matchedComponents(parts component.Components, part string) []string {
	work, _ := parts.RoleOf(part)
	return slices.Compact([]string{part, parts.NameForRole(work)})
}

func (f *mockFlags) model() (model.Model, error) {
	if f.script != "" {
		script, err := backend.LoadScript(f.script, backend.AllComponents())
		if err != nil {
			return nil, flagError("script", err)
		}
		return script, nil
	}
	if !(f.accuracy >= 0 && f.accuracy <= 1) {
		return nil, flagError("accuracy", fmt.Errorf("%v is not in 0..1", f.accuracy))
	}
	names := datasets.BuiltInNames()
	if f.dataset != "" {
		names = []string{f.dataset}
	}
	var sets []*datasets.Dataset
	for _, name := range names {
		data, err := openWithColumns(name, f.columns)
		if err != nil {
			return nil, flagError("dataset", err)
		}
		sets = append(sets, data)
	}
	model, err := backend.NewServerModel(sets, f.accuracy, f.seed)
	if err != nil {
		return nil, flagError("dataset", err)
	}
	return model, nil
}
