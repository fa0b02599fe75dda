package scholar

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/outbound"
	"evalctl/agent/recall"
)

// Names of the options that switch a feature of a turn on or off.
const (
	webSwitch      = "web_search"
	refreshSwitch  = "refresh_summary_cache"
	thinkingSwitch = "show_thinking"
)

// params contains the options of a turn. Zero values mean the defaults.
type params struct {
	web, refresh, hideThinking bool

	mode              string // an intent; "": the model decides
	context           int    // size of the context window in tokens
	model, base, key  string
	engine, engineKey string
	topN              int
	threshold, weight *float64
	rerank            *bool
	indexes           []string
}

// Limits on the names and keys in a request.
const (
	maxName    = 200 // in characters
	maxKey     = 1000
	maxIndexes = 50
)

// parameters contains the parser of each option of a turn, except the switches.
var parameters = map[string]func(*params, json.RawMessage) error{
	"mode_type": func(p *params,
		raw json.RawMessage) error {
		return parseChoice(&p.mode, raw, intents())
	},
	"max_context_tokens": func(p *params,
		raw json.RawMessage) error {
		return parseInteger(&p.context, raw, 1, maxContext)
	},
	"model_name": func(p *params,
		raw json.RawMessage) error {
		return parseText(&p.model, raw, maxName)
	},
	"openai_api_base": func(p *params, raw json.RawMessage) error { return parseBaseURL(&p.base, raw) },
	"openai_api_key":  func(p *params, raw json.RawMessage) error { return parseKey(&p.key, raw) },
	"search_engine": func(p *params,
		raw json.RawMessage) error {
		return parseChoice(&p.engine, raw, engines())
	},
	"search_engine_api_key": func(p *params,
		raw json.RawMessage) error {
		return parseKey(&p.engineKey, raw)
	},
	"recall_top_n": func(p *params,
		raw json.RawMessage) error {
		return parseInteger(&p.topN, raw, 1, recall.MaxTopN)
	},
	"recall_similarity_threshold": func(p *params,
		raw json.RawMessage) error {
		return parseShare(&p.threshold, raw)
	},
	"recall_vector_similarity_weight": func(p *params, raw json.RawMessage) error { return parseShare(&p.weight, raw) },
	"recall_use_rerank":               func(p *params, raw json.RawMessage) error { return parseBool(&p.rerank, raw) },
	"recall_index_names":              func(p *params, raw json.RawMessage) error { return names(&p.indexes, raw) },
}

// paramChecks returns a function for each option that validates its value, to check cases when they
// are loaded.
func paramChecks() map[string]func(json.RawMessage) error {
	checks := map[string]func(json.RawMessage) error{}
	for name, read := range parameters {
		checks[name] = func(raw json.RawMessage) error { return read(&params{}, raw) }
	}
	return checks
}

// readParams parses the options of a turn. Errors name the option. Unknown options are ignored.
func readParams(options map[string]json.RawMessage) (p params, err error) {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		raw := options[name]
		if read := parameters[name]; read != nil {
			if err := read(&p, raw); err != nil {
				return p, fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		var on *bool
		if slices.Contains([]string{webSwitch, refreshSwitch, thinkingSwitch}, name) {
			if err := parseBool(&on, raw); err != nil {
				return p, fmt.Errorf("%s: %w", name, err)
			}
		}
		switch name {
		case webSwitch:
			p.web = *on
		case refreshSwitch:
			p.refresh = *on
		case thinkingSwitch:
			p.hideThinking = !*on
		}
	}
	return p, nil
}

func parseChoice(at *string, raw json.RawMessage, known []string) error {
	if err := json.Unmarshal(raw, at); err != nil || !slices.Contains(known, *at) {
		return fmt.Errorf("%.60s is not one of %s", raw, strings.Join(known, ", "))
	}
	return nil
}

func parseInteger(at *int, raw json.RawMessage, least, most int) error {
	if err := json.Unmarshal(raw, at); err != nil || *at < least || *at > most {
		return fmt.Errorf("%.60s is not a whole number from %d to %d", raw, least, most)
	}
	return nil
}

func parseShare(at **float64, raw json.RawMessage) error {
	var v float64
	if err := json.Unmarshal(raw, &v); err != nil || string(raw) == "null" || !(v >= 0 && v <= 1) {
		return fmt.Errorf("%.60s is not a number from 0 to 1", raw)
	}
	*at = &v
	return nil
}

func parseBool(at **bool, raw json.RawMessage) error {
	var v bool
	if err := json.Unmarshal(raw, &v); err != nil || string(raw) == "null" {
		return fmt.Errorf("%.60s is neither true nor false", raw)
	}
	*at = &v
	return nil
}

func parseText(at *string, raw json.RawMessage, most int) error {
	if err := json.Unmarshal(raw, at); err != nil || *at == "" || utf8.RuneCountInString(*at) > most ||
		strings.ContainsFunc(*at, unicode.IsControl) {
		return fmt.Errorf("%.60s is not a text of 1 to %d characters", raw, most)
	}
	return nil
}

// parseKey parses an API key. The error does not contain the key.
func parseKey(at *string, raw json.RawMessage) error {
	isBad := func(r rune) bool { return r <= ' ' || r > '~' }
	if err := json.Unmarshal(raw, at); err != nil || *at == "" || len(*at) > maxKey ||
		strings.ContainsFunc(*at, isBad) {
		return fmt.Errorf("is not a key: it has 1 to %d visible ASCII characters", maxKey)
	}
	return nil
}

// parseBaseURL parses a base URL. The error does not contain the URL, which may include a password.
func parseBaseURL(at *string, raw json.RawMessage) error {
	err := json.Unmarshal(raw, at)
	u, bad := outbound.ParseSingleURL(*at)
	if err != nil || bad != nil || u.User != nil || len(*at) > maxName {
		return fmt.Errorf("is not an http URL without a user, of at most %d characters", maxName)
	}
	return nil
}

func names(at *[]string, raw json.RawMessage) error {
	if err := json.Unmarshal(raw, at); err != nil || len(*at) == 0 || len(*at) > maxIndexes {
		return fmt.Errorf("%.60s is not a list of 1 to %d names", raw, maxIndexes)
	}
	return checkNames(*at)
}

func checkNames(list []string) error {
	for _, name := range list {
		if name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("%.60q is not a name", name)
		}
	}
	return nil
}
