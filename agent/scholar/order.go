package scholar

import (
	"fmt"
	"regexp"
)

// A turn's stream in words KIND:NODE, in the order of the nodes: each completes once,
// or fails and is made up for, or the turn ends with an error.
const (
	thought   = `(?:thinking_start:%[1]s thinking_end:%[1]s )`
	completed = `node_complete:%[1]s `
	broke     = `node_error:%[1]s `
	sorry     = `error:%[1]s `
)

func in(node, words string) string { return fmt.Sprintf(words, node) }

// done is a node that completes, dies one that ends the turn.
func done(node string) string { return in(node, thought+`*`+completed) }

func dies(node string) string { return in(node, thought+`*(?:`+broke+`)*`+sorry) }

// made is a node for which something else stands in where it fails.
func made(node string) string {
	return `(?:` + done(node) + `|` + in(node, thought+`*`+broke+thought+`*`) + `)`
}

// order matches the stream of a right turn.
var order = func() *regexp.Regexp {
	summaries := `(?:doc_summary_init:` + summaryNode + ` (?:(?:doc_summary_start|doc_summary_complete|doc_summary_error|node_error):` + summaryNode + ` )*)?`
	saved := made(saveNode)
	reported := `(?:node_error:` + reportNode + ` )*`
	answered := reported + `(?:` + dies(answerNode) + `|` + done(answerNode) + saved + `)`
	chatted := `(?:(?:node_error:` + searchNode + ` )?(?:` + dies(simpleNode) + `|` + done(simpleNode) + saved + `))?`
	recalled := made(questionNode) + done(planNode) + `(?:` + dies(executeNode) + `|` + in(executeNode, `(?:`+broke+`)*`+completed) + answered + `)`
	summarized := summaries + `(?:` + dies(summaryNode) + `|` + done(summaryNode) + answered + `)`
	gathered := `(?:` + dies(strategyNode) + `|` + done(strategyNode) + `(?:` + answered + `|` + recalled + `|` + summarized + `))`
	worked := `(?:` + made(intentNode) + `(?:` + chatted + `|` + gathered + `)?)?`
	return regexp.MustCompile(`^(?:node_error:` + compressionNode + ` )*(?:` + in(initNode, sorry) + `|` + dies(checkNode) + `|` + done(checkNode) + `(?:` + chatted + `|` + worked + `))$`)
}()
