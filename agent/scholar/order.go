package scholar

import (
	"fmt"
	"regexp"
)

// Patterns for the events of a node, each written as KIND:NODE. In a turn, each node completes
// once, fails and falls back, or ends the turn with an error.
const (
	thought   = `(?:thinking_start:%[1]s thinking_end:%[1]s )`
	completed = `node_complete:%[1]s `
	broke     = `node_error:%[1]s `
	sorry     = `error:%[1]s `
)

func atNode(node, words string) string { return fmt.Sprintf(words, node) }

// completes returns the pattern for a node that completes.
func completes(node string) string { return atNode(node, thought+`*`+completed) }

func endsTurn(node string) string { return atNode(node, thought+`*(?:`+broke+`)*`+sorry) }

// withFallback returns the pattern for a node that completes, or fails and has a fallback.
func withFallback(node string) string {
	return `(?:` + completes(node) + `|` + atNode(node, thought+`*`+broke+thought+`*`) + `)`
}

// order matches the complete event sequence of a correct turn, to verify the traces of trials.
var order = func() *regexp.Regexp {
	summaries := `(?:doc_summary_init:` + summaryNode +
		` (?:(?:doc_summary_start|doc_summary_complete|doc_summary_error|node_error):` + summaryNode + ` )*)?`
	saved := withFallback(saveNode)
	reported := `(?:node_error:` + reportNode + ` )*`
	answered := reported + `(?:` + endsTurn(answerNode) + `|` + completes(answerNode) + saved + `)`
	chatted := `(?:(?:node_error:` + searchNode + ` )?(?:` + endsTurn(simpleNode) + `|` + completes(simpleNode) +
		saved + `))?`
	recalled := withFallback(questionNode) + completes(planNode) + `(?:` + endsTurn(executeNode) + `|` +
		atNode(executeNode, `(?:`+broke+`)*`+completed) + answered + `)`
	summarized := summaries + `(?:` + endsTurn(summaryNode) + `|` + completes(summaryNode) + answered + `)`
	gathered := `(?:` + endsTurn(strategyNode) + `|` + completes(strategyNode) + `(?:` + answered + `|` + recalled +
		`|` + summarized + `))`
	worked := `(?:` + withFallback(intentNode) + `(?:` + chatted + `|` + gathered + `)?)?`
	return regexp.MustCompile(`^(?:node_error:` + compressionNode + ` )*(?:` + atNode(initNode, sorry) + `|` +
		endsTurn(checkNode) + `|` + completes(checkNode) + `(?:` + chatted + `|` + worked + `))$`)
}()
