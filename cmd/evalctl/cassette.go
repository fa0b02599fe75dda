package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"evalctl/agent/file"
	"evalctl/agent/text"
	"evalctl/cmd/evalctl/exit"
	"evalctl/cmd/evalctl/terminal"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/mocks/cassette"
)

func cassetteCommand() *cobra.Command {
	return group(&cobra.Command{Use: "cassette", Short: "Inspect recordings of real endpoints"},
		cassetteShowCommand(), cassettePruneCommand(), cassetteDiffCommand())
}

// cassetteArgs returns a check that a cassette command has at least files arguments and no more
// than most.
func cassetteArgs(files, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < files || len(args) > most {
			return fmt.Errorf("cassette %s: requires %s, got %d arguments", cmd.Name(),
				strings.TrimPrefix(cmd.Use, cmd.Name()+" "), len(args))
		}
		return nil
	}
}

// withCassette opens a cassette, calls do with it, and closes it afterwards.
func withCassette(ctx context.Context, path string, do func(*cassette.Cassette) error) error {
	_, err := exit.CallInterruptible(ctx, func() (struct{}, error) {
		c, err := openCassette(ctx, path)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, errors.Join(do(c), c.Close())
	})
	return err
}

func cassetteShowCommand() *cobra.Command {
	var limit int64
	cmd := &cobra.Command{
		Use:   "show FILE [KEY|CASE]",
		Short: "List recorded exchanges, or print one",
		Long: `List the exchanges of a cassette, one per line: key, trial and component, response and
duration. For a CASE, or a KEY (at least its first four characters), print the request as it
is compared, and the response.`,
		Example: "  evalctl cassette show tape.jsonl --limit 20\n  evalctl cassette show tape.jsonl tr-chat-002",
		Args:    cassetteArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := atLeast(0, limit); err != nil {
				return flagError("limit", err)
			}
			return withCassette(cmd.Context(), args[0], func(c *cassette.Cassette) error {
				p := terminal.Printer{W: cmd.OutOrStdout()}
				if len(args) == 2 {
					return showExchanges(&p, c, args[1])
				}
				return listExchanges(&p, c, limit, terminal.Width(cmd.OutOrStdout()))
			})
		},
	}
	cmd.Flags().Int64Var(&limit, "limit", 0, "list the first `N`; 0: all")
	return cmd
}

// listExchanges prints one line for each of the first limit exchanges (0: all). Long lines are
// broken to fit a narrow screen.
func listExchanges(p *terminal.Printer, c *cassette.Cassette, limit int64, width int) error {
	n := int64(0)
	for x, err := range c.Exchanges("") {
		if err != nil {
			return err
		}
		if n++; limit > 0 && n > limit {
			continue
		}
		line := fmt.Sprintf("%.8s", x.Key)
		indent := strings.Repeat(" ", len(line)+2)
		for _, part := range []string{describeRequest(x.Trial, x.Epoch, x.Occurrence),
			x.Request.Method + " " + x.Request.Path,
			describeResponse(x.Response)} {
			if width > 0 && text.DisplayWidth(line)+2+text.DisplayWidth(part) > width {
				p.Printf("%s\n", line)
				line = indent + part
			} else {
				line += "  " + part
			}
		}
		p.Printf("%s\n", line)
	}
	if left := n - limit; limit > 0 && left > 0 {
		p.Printf("%d more: --limit 0 lists all\n", left)
	}
	return printError(*p)
}

func showExchanges(p *terminal.Printer, c *cassette.Cassette, pick string) error {
	n := 0
	for x, err := range c.Exchanges(cassette.Filter(pick)) {
		if err != nil {
			return err
		}
		if n++; n > 1 {
			p.Printf("\n")
		}
		p.Printf("%s  %s\n%s %s%s\n%s\n\n%s\n", x.Key, describeRequest(x.Trial, x.Epoch, x.Occurrence),
			x.Request.Method,
			x.Request.Origin, x.Request.Path, x.Request.Body(), describeResponse(x.Response))
		p.Printf("%s\n", strings.ToValidUTF8(string(x.Response.Body()), "�"))
	}
	if n == 0 {
		return fmt.Errorf("%s: no exchange of case or key %q was recorded", c.Path, pick)
	}
	return printError(*p)
}

// describeRequest names the trial, the component and the number of a recorded request, for a
// listing.
func describeRequest(w cassette.TrialRef, epoch, nth int) string {
	text := fmt.Sprintf("%s/%s %s %s", w.Suite, w.Variant, w.Case, w.Component)
	if epoch == 0 {
		text = w.Component + " before the first trial"
	}
	if w.Fault != "" {
		text += " under " + w.Fault
	}
	if epoch > 1 {
		text += fmt.Sprintf(" epoch %d", epoch)
	}
	if nth > 1 {
		text += fmt.Sprintf(" time %d", nth)
	}
	return text
}

// describeResponse summarizes a recorded response for a listing: status, size and duration.
func describeResponse(r cassette.Response) string {
	duration := metric.FormatDuration(time.Duration(r.EndMicros) * time.Microsecond)
	if r.Status == 0 {
		return fmt.Sprintf("no answer (%s) after %s", r.End, duration)
	}
	text := fmt.Sprintf("%d  %d bytes in %d pieces, %s", r.Status, len(r.Body()), len(r.Chunks), duration)
	if r.End != cassette.EndComplete {
		text += fmt.Sprintf(", %s", r.End)
	}
	return text
}

func cassettePruneCommand() *cobra.Command {
	var dir, out string
	cmd := &cobra.Command{
		Use:   "prune FILE",
		Short: "Remove recordings that are superseded, duplicated or unused",
		Long: `Remove exchanges of trials that were recorded again, and duplicates; with --run also those of
trials that are not in that run. The result replaces FILE, unless --out names another file.`,
		Example: "  evalctl cassette prune tape.jsonl\n  evalctl cassette prune tape.jsonl --run runs/main --out small.jsonl",
		Args:    cassetteArgs(1, 1),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&dir, "run", "", "keep only what was recorded of trials of the run in `DIR`")
	flags.StringVar(&out, "out", "", "write to `FILE`, and leave the cassette as it is")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		wanted, err := exit.CallInterruptible(cmd.Context(),
			func() (func(cassette.TrialRef, int) bool, error) { return trialFilter(dir) })
		if err != nil {
			return flagError("run", err)
		}
		return withCassette(cmd.Context(), args[0], func(c *cassette.Cassette) error {
			n, err := pruneTo(c, args[0], out, wanted)
			if err != nil {
				return err
			}
			p := terminal.Printer{W: cmd.OutOrStdout()}
			p.Printf("%d exchanges kept; dropped: %d of trials that were recorded again, %d that stood there twice, %d of trials that the run does not have\n",
				n.Remaining, n.Superseded, n.Duplicate, n.Unused)
			return printError(p)
		})
	}
	return cmd
}

// pruneTo writes a copy of a cassette with the exchanges for which wanted is true. The copy goes to
// the file out, or replaces the cassette if out is empty.
func pruneTo(c *cassette.Cassette, path, out string, wanted func(cassette.TrialRef, int) bool) (n cassette.PruneCounts,
	err error) {
	if out == "" {
		out = path
	} else if _, err := os.Stat(out); err == nil {
		return n, flagError("out", fmt.Errorf("%s: is there already", out))
	}
	if out, err = file.ResolveLinks(out); err != nil {
		return n, err
	}
	// CreateTemp never overwrites another file
	tmp, err := os.CreateTemp(filepath.Dir(out), filepath.Base(out)+".*.tmp")
	if err != nil {
		return n, err
	}
	n, err = c.Prune(tmp, wanted)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), out)
	}
	if err != nil {
		return n, errors.Join(err, os.Remove(tmp.Name()))
	}
	return n, nil
}

// trialFilter returns a function that reports whether a trial belongs to the run in dir. It is nil
// if dir is empty.
func trialFilter(dir string) (func(cassette.TrialRef, int) bool, error) {
	if dir == "" {
		return nil, nil
	}
	type trial struct {
		who   cassette.TrialRef
		epoch int
	}
	played := map[trial]bool{}
	for r, err := range journal.ReadRunResults(dir) {
		if err != nil {
			return nil, err
		}
		w := cassette.TrialRef{Suite: r.Suite, Variant: r.Variant, Case: r.Case}
		if r.Fault != eval.NoFault {
			w.Fault = r.Fault
		}
		played[trial{w, r.Epoch}] = true
	}
	return func(w cassette.TrialRef, epoch int) bool {
		w.Component, w.RescoredTurn = "", 0
		return played[trial{w, epoch}]
	}, nil
}

func cassetteDiffCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two cassettes: added, removed and changed responses",
		Long: `Compare two cassettes, exchange by exchange. Exchanges are paired by trial, component and
request. Durations are not compared.`,
		Example: "  evalctl cassette diff main.jsonl today.jsonl",
		Args:    cassetteArgs(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withCassette(cmd.Context(), args[0], func(a *cassette.Cassette) error {
				return withCassette(cmd.Context(), args[1], func(b *cassette.Cassette) error {
					list, err := cassette.Diff(a, b)
					if err != nil {
						return err
					}
					return printChanges(cmd.OutOrStdout(), list)
				})
			})
		},
	}
}

func printChanges(w io.Writer, list []cassette.ExchangeDiff) error {
	p := terminal.Printer{W: w}
	count := map[string]int{}
	for _, c := range list {
		count[c.Kind]++
		p.Printf("%-7s  %.8s  %s  %s %s\n", c.Kind, c.Key, describeRequest(c.Trial, c.Epoch, c.Occurrence),
			c.Request.Method,
			c.Request.Path)
		if c.AnswerDiff != "" {
			p.Printf("         %s\n", c.AnswerDiff)
		}
	}
	p.Printf("%d added, %d removed, %d changed\n", count["added"], count["removed"], count["changed"])
	return printError(p)
}
