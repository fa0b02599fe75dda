// Command evalctl evaluates LLM agents that route, retrieve, retry and
// criticise themselves.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// gcPercent trades memory that a run does not need for a fifth of its time: the
// live heap is a few MiB, however many trials there are.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
