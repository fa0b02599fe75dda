package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval/metric"
	"evalctl/reports"
	"evalctl/reports/export"
)

// otlpFlags are the flags that export a run to an OpenTelemetry collector.
type otlpFlags struct {
	address string
	content bool
	to      export.Endpoint
}

func (f *otlpFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.address, "otlp", "",
		"export the run to the OpenTelemetry collector at `URL`; env: the one in $"+export.EndpointVar)
	flags.BoolVar(&f.content, "otlp-content", false, "include message content in the export")
}

// check parses the address of the collector before the run starts.
func (f *otlpFlags) check(secrets *secret.Set) (err error) {
	if f.address == "" {
		if f.content {
			return flagError("otlp-content", errors.New("requires --otlp"))
		}
		return nil
	}
	if f.to, err = export.ParseEndpoint(f.address, os.Getenv, secrets); err != nil {
		return flagError("otlp", err)
	}
	return nil
}

// send exports a report to the collector and prints a summary on stderr. Errors are internal
// errors; they do not change the results of the run.
func (f *otlpFlags) send(ctx context.Context, rep reports.Report, secrets *secret.Set, stderr io.Writer) error {
	if f.address == "" {
		return nil
	}
	sent, err := export.SendOTLP(ctx, rep.Run, rep.Summary,
		export.OTLPConfig{Endpoint: f.to, IncludeTexts: f.content, Secrets: secrets})
	switch {
	case ctx.Err() != nil:
		return exit.ErrInterrupted
	case err != nil:
		return exit.InternalError(fmt.Errorf("--otlp: %s: %w", f.to, err))
	case sent.Rejected > 0:
		return exit.InternalError(fmt.Errorf("--otlp: %s: refused %s of %s%s", f.to, metric.FormatInteger(sent.Rejected),
			metric.Plural(sent.Spans+sent.MetricPoints, "span or point"), reasonSuffix(sent.RejectReason)))
	}
	fmt.Fprintf(stderr, "sent %s and %s to %s%s%s\n", metric.Plural(sent.Spans, "span"),
		metric.Plural(sent.MetricPoints, "point"), f.to, withoutTraceSuffix(sent.WithoutTrace),
		reasonSuffix(sent.RejectReason))
	return nil
}

func reasonSuffix(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

func withoutTraceSuffix(n int64) string {
	if n == 0 {
		return ""
	}
	return ", without the calls of " + metric.Plural(n, "trial") + " whose trace is lacking"
}

// sendRun exports a run that just ended. Errors are printed and do not change the exit code.
func (f *otlpFlags) sendRun(ctx context.Context, dir string, secrets *secret.Set, quiet bool, stderr io.Writer) {
	if f.address == "" || ctx.Err() != nil {
		return
	}
	rep, err := openReport(dir)
	if err == nil {
		rep, err = recomputeReport(rep, nil)
	}
	progress := stderr
	if quiet {
		progress = io.Discard
	}
	if err == nil {
		err = f.send(ctx, rep, secrets, progress)
	}
	if err != nil {
		fmt.Fprintln(stderr, "evalctl:", terminal.OneLine(err))
	}
}
