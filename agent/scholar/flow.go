package scholar

import (
	"context"
	"errors"

	"evalctl/agent/clock"
	"evalctl/agent/graph"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// flowNode is a node of the graph that answers a turn. If run fails, the error is traced and rescue
// is called; then the next node runs. Without rescue, the turn ends with an error reply.
type flowNode struct {
	name string
	run  func(*run, context.Context) error
	// continues after an error; nil: the turn ends with an error reply
	rescue func(r *run, ctx context.Context, err error)
	code   string // code of that error reply
	next   func(*run) string
}

func newFlow() (*graph.Graph[run], error) {
	var nodes []graph.Node[run]
	for _, s := range flowNodes() {
		nodes = append(nodes, graph.Node[run]{Name: s.name, Run: s.runNode, Next: func(r *run) string {
			if r.reply.ErrorReply != nil {
				return graph.End
			}
			return s.next(r)
		}})
	}
	return graph.New(graph.Config[run]{Start: checkNode, Nodes: nodes, MaxSteps: 2 * len(nodes)})
}

func flowNodes() []flowNode {
	to := func(node string) func(*run) string { return func(*run) string { return node } }
	return []flowNode{
		{name: checkNode, run: (*run).checkDocuments, code: unknownError, next: (*run).afterCheck},
		{name: intentNode, run: (*run).recognizeIntent, rescue: (*run).intentFallback, next: (*run).afterIntent},
		{name: strategyNode, run: (*run).selectStrategy, code: unknownError, next: (*run).afterStrategy},
		{name: questionNode, run: (*run).askSubQuestions, rescue: (*run).questionFallback, next: to(planNode)},
		{name: planNode, run: (*run).plan, code: unknownError, next: to(executeNode)},
		{name: executeNode, run: (*run).execute, code: recallFailed, next: to(answerNode)},
		{name: summaryNode, run: (*run).summarize, code: summariesFailed, next: to(answerNode)},
		{name: answerNode, run: (*run).generateAnswer, code: answerFailed, next: to(saveNode)},
		{name: simpleNode, run: (*run).interact, code: chatFailed, next: to(saveNode)},
		{name: saveNode, run: (*run).save, rescue: func(*run, context.Context, error) {}, next: to(graph.End)},
	}
}

func (r *run) afterCheck() string {
	if r.intent == simpleInteraction {
		return r.orEnd(simpleNode)
	}
	return intentNode
}

func (r *run) afterIntent() string {
	if r.intent == simpleInteraction {
		return r.orEnd(simpleNode)
	}
	return r.orEnd(strategyNode)
}

// orEnd returns node, or the end of the graph if the trial stops after the decision.
func (r *run) orEnd(node string) string {
	if r.DecisionOnly {
		return graph.End
	}
	return node
}

func (r *run) afterStrategy() string {
	switch r.strategy {
	case fullContent:
		return answerNode
	case multiDocSummary:
		return summaryNode
	default:
		return questionNode
	}
}

// runNode runs the node and traces its completion or failure. It returns an error only if the
// context ended.
func (s flowNode) runNode(ctx context.Context, r *run) error {
	err := clock.CatchPanic(s.name, func() error { return s.run(r, ctx) })
	var no *rejection
	switch {
	case ctx.Err() != nil && !r.isSaved:
		return ctx.Err()
	case err == nil:
		trace.Emit(ctx, trace.Event{Kind: trace.KindNodeComplete, Node: s.name, Data: r.completionData})
		r.completionData = nil
	case errors.As(err, &no):
		r.rejectTurn(ctx, s.name, *no)
	case s.rescue != nil:
		nodeError(ctx, s.name, "", err)
		s.rescue(r, ctx, err)
	default:
		nodeError(ctx, s.name, "", err)
		r.failWith(ctx, s.name, s.code, llm.TraceReason(err))
	}
	return nil
}
