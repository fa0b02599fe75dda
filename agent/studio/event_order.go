package studio

import "regexp"

// EventOrderPattern returns a pattern that matches the events of a correct turn, for
// scorer.EventOrder. Each thought_log, gen_ui_component and error event is a word "KIND:NODE ".
func EventOrderPattern(p Profile) *regexp.Regexp {
	if p == ProfileV1 {
		return orderV1
	}
	return orderV2
}

const (
	planned      = `thought_log:planner `
	tried        = `thought_log:rag thought_log:executor `
	made         = tried + `thought_log:executor thought_log:critic `
	judged       = `(?:` + made + `thought_log:critic )`
	sorry        = `error:error_handler gen_ui_component:error_handler `
	tried1       = `thought_log:executor `
	made1        = tried1 + `(?:gen_ui_component:executor ){2}`
	judged1      = `thought_log:critic (?:gen_ui_component:critic ){0,2}`
	rejectedBusy = `gen_ui_component:session `
)

// The event sequences of correct turns. A critic that fails emits no event. If a later image cannot
// be generated, the previous one is shown.
var (
	orderV2 = regexp.MustCompile(`^(?:` +
		planned + judged + `{0,3}` + made + `(?:thought_log:critic )?(?:gen_ui_component:genui ){3}|` +
		planned + judged + `{1,3}` + tried + `(?:gen_ui_component:genui ){3}|` +
		planned + tried + sorry + `|` +
		`(?:` + planned + `)?` + sorry + `)$`)
	orderV1 = regexp.MustCompile(`^(?:` +
		planned + `(?:thought_log:rag )?(?:` +
		made1 + `(?:` + judged1 + made1 + `){0,2}(?:` + judged1 + `)?|` +
		tried1 + errorEvents(executorNode) + `(?:gen_ui_component:executor )?)|` +
		`(?:` + planned + `)?` + errorEvents(plannerNode) + `|` + rejectedBusy + `)$`)
)

func errorEvents(node string) string {
	return `error:` + node + ` gen_ui_component:` + node + ` `
}
