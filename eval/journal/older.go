package journal

import (
	"bytes"
	"encoding/json"
	"strings"
)

// FormatVersion is the version of the format of a run's files. Files of version 1 used other names
// and are converted when they are read. Only this file supports version 1; to end the support,
// remove it.
const FormatVersion = 2

// paths maps the path of an old field, such as turns.took_ms, to the field's current name. The
// elements of a list have the path of the list.
type paths map[string]string

// values maps old values to current values, for each old field path.
type values map[string]map[string]string

// Values that had other names in version 1, with their new names.
var (
	olderDeciders = map[string]string{"gate": "guard", "mode": "mode_type", "limit": "max_iterations"}
	olderCritics  = map[string]string{"picture": "image"}
	olderKinds    = map[string]string{"no_route": "no_decision", "gate": "guard", "form": "form_check",
		"unused": "ignored_input", "log": "stderr"}
	olderCodes   = map[string]string{"RECALL_FAILED": "RETRIEVAL_FAILED"}
	olderNodes   = map[string]string{"gather": "debounce", "improve": "image_rewrite", "recall": "retrieval"}
	olderTargets = map[string]string{"digest": "search_fallback"}
	olderErrors  = map[string]string{"server": "server_error", "balance": "no_balance", "blocked": "content_blocked",
		"empty": "empty_content", "invalid_json": "malformed_json", "malformed": "malformed_response"}
	olderReasons = map[string]string{"asked_before": "already_asked", "asking_off": "clarification_off",
		"rounds_used_up": "max_clarification_rounds",
		"closed":         "disabled", "picture_turn": "image_input", "no_picture": "no_image",
		"picture_lost":  "image_expired",
		"same_picture":  "same_image",
		"same_question": "same_request", "residual_label": "fallback_label", "nothing_found": "no_results",
		"no_room":   "context_full",
		"gathering": "debouncing", "inputs": "input_rules", "not_asked": "not_requested", "not_passed": "rejected",
		"not_taken":   "unsupported",
		"end_refused": "end_rejected", "too_many": "too_many_calls", "impossible_date": "invalid_date",
		"no_number": "not_a_number", "gate": "guard",
		"server": "server_error", "balance": "no_balance", "blocked": "content_blocked", "empty": "empty_content",
		"invalid_json": "malformed_json", "malformed": "malformed_response"}
	olderComponents = map[string]string{"knowledge": "style_library", "illustrator": "image_agent",
		"questions": "sub_questions", "recall": "retrieval"}
	olderFaults = map[string]string{"rate_limited_bare": "rate_limited_no_retry_after",
		"residual_label": "fallback_label"}
)

var olderRow = paths{
	"served": "answered_by", "source": "decided_by", "took_ms": "duration_ms", "failure": "error_reply",
	"reason": "error_reply_cause",
	"peak":   "peak_calls", "asked": "external_requests", "cached": "cached_calls", "refused": "rate_limited",
	"struck":           "triggered_faults",
	"tokens.uncounted": "unreported_calls", "loops.tokens.uncounted": "unreported_calls",
	"loops.second.tokens.uncounted": "unreported_calls", "grading.tokens.uncounted": "unreported_calls",
	"turns.took_ms": "duration_ms", "turns.failure": "error_reply", "turns.reason": "error_reply_cause",
	"turns.source":  "decided_by",
	"turns.decider": "model_decision", "turns.decider.taken": "if_accepted", "turns.decider.else": "if_rejected",
	"turns.steps.asked": "proposed", "turns.steps.taken": "executed", "turns.steps.by": "decided_by",
	"turns.asks": "asks_user", "turns.resumes": "resumes_turn", "turns.cached": "cached_calls",
	"turns.gathered": "batched",
	"nodes.ms":       "duration_ms", "nodes.calls_ms": "call_durations_ms", "nodes.cached": "cached_calls",
	"nodes.failed": "call_error",
	"loops.by":     "reviewer", "loops.shown": "critic_input", "loops.cached": "cached_calls",
	"loops.good":   "acceptable",
	"loops.second": "second_judgment",
	"scores.got":   "actual", "scores.want": "expected", "scores.turns.got": "actual", "scores.turns.want": "expected",
	"scores.turns.served": "answered",
	"compressions.before": "tokens_before", "compressions.after": "tokens_after",
}

var olderRowValues = values{
	"source": olderDeciders, "turns.source": olderDeciders, "turns.steps.by": olderDeciders,
	"turns.steps.reason": olderReasons,
	"fallbacks.reason":   olderReasons, "fallbacks.to": olderTargets, "fallbacks.from": olderTargets,
	"failure": olderCodes, "turns.failure": olderCodes, "reason": olderErrors, "turns.reason": olderErrors,
	"nodes.node": olderNodes, "nodes.failed": olderErrors, "loops.shown": olderCritics,
	"fault": nil, "struck": nil, // these values have the form COMPONENT:KIND
}

var olderTrace, olderTraceValues = olderTraceTables()

// olderTraceTables returns the tables for converting traces. A trace contains events in its turns,
// in second judgments and in fact gradings.
func olderTraceTables() (paths, values) {
	p := paths{"outcome.took_ns": "duration_ns"}
	v := values{"fault": nil}
	turn := "outcome.turns."
	for old, name := range map[string]string{"took_ns": "duration_ns", "failed": "error", "second": "second_judgment",
		"graded":           "fact_grading",
		"input.state.zone": "time_zone", "reply.served": "answered_by", "reply.source": "decided_by",
		"reply.decider":       "model_decision",
		"reply.decider.taken": "if_accepted", "reply.decider.else": "if_rejected", "reply.aspects": "attributes",
		"reply.failure":        "error_reply",
		"reply.failure.reason": "cause", "reply.gathered": "batched", "reply.steps.asked": "proposed",
		"reply.steps.taken": "executed",
		"reply.steps.by":    "decided_by"} {
		p[turn+old] = name
	}
	v[turn+"reply.source"], v[turn+"reply.steps.by"], v[turn+"reply.steps.reason"] = olderDeciders,
		olderDeciders, olderReasons
	v[turn+"reply.failure.code"], v[turn+"reply.failure.reason"] = olderCodes, olderErrors
	for _, in := range []string{turn + "events.", turn + "second.events.", turn + "graded.events."} {
		for old, name := range map[string]string{"at_ns": "offset_ns", "span.pictures": "images",
			"span.refused": "rate_limited",
			"span.foreign": "external", "span.uncounted": "usage_unreported", "review.by": "reviewer",
			"review.shown": "critic_input"} {
			p[in+old] = name
		}
		v[in+"kind"], v[in+"reason"], v[in+"node"], v[in+"span.error"] = olderKinds, olderReasons,
			olderNodes, olderErrors
		v[in+"to"], v[in+"from"], v[in+"review.shown"] = olderTargets, olderTargets, olderCritics
	}
	return p, v
}

// isOlderRow reports whether a result has version 1, which is the only version with the field
// took_ms.
func isOlderRow(line []byte) bool { return bytes.Contains(line, []byte(`"took_ms":`)) }

func newerRow(line []byte) []byte {
	if !isOlderRow(line) {
		return line
	}
	return convert(line, olderRow, olderRowValues)
}

// newerTrace converts a trace of version 1, which has a field took_ns, to the current format.
func newerTrace(line []byte) []byte {
	if !bytes.Contains(line, []byte(`"took_ns":`)) {
		return line
	}
	return convert(line, olderTrace, olderTraceValues)
}

// convert replaces the field names and values of a line. It returns a line that is not a JSON
// object unchanged; the decoder then reports the error.
func convert(line []byte, names paths, of values) []byte {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var tree map[string]any
	if d.Decode(&tree) != nil {
		return line
	}
	text, err := json.Marshal(renamed(tree, "", names, of))
	if err != nil {
		return line
	}
	return text
}

func renamed(v any, path string, names paths, of values) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			at := strings.TrimPrefix(path+"."+name, ".")
			to, ok := names[at]
			if !ok {
				to = name
			}
			out[to] = renamed(value, at, names, of)
		}
		if data, ok := out["data"].(map[string]any); ok && out["kind"] == "compression" {
			out["data"] = renamed(data, "",
				paths{"before": "tokens_before", "after": "tokens_after", "kept": "retained_messages"}, nil)
		}
		return out
	case []any:
		for i := range v {
			v[i] = renamed(v[i], path, names, of)
		}
	case string:
		table, ok := of[path]
		if !ok {
			return v
		}
		if table == nil {
			return newerFault(v)
		}
		if to, ok := table[v]; ok {
			return to
		}
	}
	return v
}

// newerFault converts a fault of the form COMPONENT:KIND to its current name.
func newerFault(fault string) string {
	component, kind, ok := strings.Cut(fault, ":")
	if !ok {
		return fault
	}
	if to, ok := olderComponents[component]; ok {
		component = to
	}
	if to, ok := olderFaults[kind]; ok {
		kind = to
	}
	return component + ":" + kind
}

// newerManifest converts the field names of a manifest of version 1. The manifest hash covers only
// values, so it can still be checked.
func newerManifest(text []byte) []byte {
	text = renameFields(text,
		paths{"built": "toolchain", "time": "clock", "tape": "cassette_mode", "settings": "settings_hashes",
			"seal": "manifest_hash"})
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return text
	}
	if m["budget"] != nil {
		m["budget"] = renameFields(m["budget"], paths{"nanoseconds": "duration_ns", "calls": "requests"})
	}
	if m["spent"] != nil {
		m["spent"] = renameFields(m["spent"], paths{"calls": "requests", "refused": "rate_limited"})
	}
	out, err := json.Marshal(m)
	if err != nil {
		return text
	}
	return out
}

func renameFields(text []byte, names paths) []byte {
	var of map[string]json.RawMessage
	if json.Unmarshal(text, &of) != nil {
		return text
	}
	out := make(map[string]json.RawMessage, len(of))
	for name, value := range of {
		if to, ok := names[name]; ok {
			name = to
		}
		out[name] = value
	}
	renamed, err := json.Marshal(out)
	if err != nil {
		return text
	}
	return renamed
}

// IsOlderSummary reports whether a summary has version 1: it has no format_version, and the clock
// is in the field time.
func IsOlderSummary(text []byte) bool {
	if !bytes.Contains(text, []byte(`"time":`)) { // faster than parsing the text
		return false
	}
	var of struct {
		Format int `json:"format_version"`
	}
	return json.Unmarshal(text, &of) == nil && of.Format < FormatVersion
}

// UpgradeSummary converts a summary of version 1 to the current format. It retains only the suites
// and conditions of the run. Metrics are omitted, because they are recomputed from the results.
func UpgradeSummary(text []byte) []byte {
	names := paths{"suites.failed_in": "only_failing", "suites.of": "available_cases",
		"suites.learned": "training_cases", "suites.time": "clock",
		"suites.matrix": "fault_matrix", "suites.scope": "decision_only", "suites.stateful": "state_dependent",
		"suites.out_of_scope": "oos_label",
		"suites.variants":     "conditions", "suites.against": "baseline_variant",
		"suites.models.by_labels": "label_based",
		"suites.models.scripted":  "noiseless", "suites.variants.name": "variant",
		"suites.variants.floor":   "baseline_model",
		"suites.variants.settled": "our_decision", "gates.needed": "cases_needed", "gates.hopeless": "too_few_cases"}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree map[string]any
	if d.Decode(&tree) != nil {
		return text
	}
	suites, _ := tree["suites"].([]any)
	for _, s := range suites {
		suite, _ := s.(map[string]any)
		for _, figures := range []string{"slices", "differences", "fates"} {
			delete(suite, figures)
		}
		if suite["scope"] != nil {
			suite["scope"] = true
		}
		conditions, _ := suite["variants"].([]any)
		for _, c := range conditions {
			condition, _ := c.(map[string]any)
			for name := range condition {
				switch name {
				case "name", "fault", "floor", "settled", "tag", "trials":
				default:
					delete(condition, name)
				}
			}
		}
	}
	tree["format_version"] = FormatVersion
	out, err := json.Marshal(renamed(tree, "", names, values{"suites.variants.fault": nil}))
	if err != nil {
		return text
	}
	return out
}
