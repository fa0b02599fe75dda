package cassette

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxCompared is how many recordings are compared with a request to find the most similar one.
const maxCompared = 16

// describeNearest explains why a request has no recording, for the error message: it names the most
// similar recording and how that differs.
func (c *Cassette) describeNearest(w TrialRef, epoch, nth int, q Request, key string) string {
	trial := c.trialNumbersOf(w)
	path := c.numberOf(withoutQuery(q.Path))
	if text := c.describeExhausted(trial, epoch, nth, key); text != "" {
		return text
	}
	var list []int32
	for _, i := range c.trials[trial.trial(int32(epoch))] {
		if e := c.entries[i]; e.path == path && len(list) < maxCompared {
			list = append(list, i)
		}
	}
	if list == nil {
		all := c.paths[path]
		for i := 0; i < len(all); i += len(all)/maxCompared + 1 { // a sample spread over the whole file
			list = append(list, all[i])
		}
	}
	if list == nil {
		return fmt.Sprintf("nothing at %s was ever recorded", withoutQuery(q.Path))
	}
	return c.describeClosest(list, q)
}

// describeExhausted explains a request that was sent more often than it was recorded; empty: that
// is not the reason.
func (c *Cassette) describeExhausted(trial trialNumbers, epoch, nth int, key string) string {
	var k keyHash
	at, ok := keyEntries{}, k.set(key)
	if ok {
		at, ok = c.keys[k]
	}
	times := int32(0)
	for i := at.first; ok && i >= 0; i = c.entries[i].next {
		times = max(times, c.entries[i].nth)
	}
	if times == 0 || int(times) >= nth {
		return ""
	}
	return fmt.Sprintf("it was recorded %d times in epoch %d, and this is time %d", times, epoch, nth)
}

// describeClosest describes the recording, among the given ones, that is most similar to the
// request, and the difference.
func (c *Cassette) describeClosest(list []int32, q Request) string {
	requested := flatten(q)
	best, text := -1.0, ""
	for _, i := range list {
		e, err := c.read(i)
		if err != nil {
			return err.Error()
		}
		recorded := flatten(e.Request)
		if n := similarity(requested, recorded); n > best {
			best = n
			text = fmt.Sprintf("the nearest is %s:%d (%s of case %s, variant %s, epoch %d), where %s",
				c.Path, c.entries[i].line, e.Trial.Component, e.Trial.Case, e.Trial.Variant, e.Epoch,
				cmp.Or(difference(requested, recorded), "nothing differs"))
		}
	}
	return text
}

// flatten returns all values of a request by their JSON path, for comparison.
func flatten(q Request) map[string]string {
	all := map[string]string{"method": q.Method, "path": q.Path, "mode": q.AnswerHeaders}
	var v any
	if q.JSON != nil && json.Unmarshal(q.JSON, &v) == nil {
		flattenInto(all, "", v)
	} else {
		all["body"] = q.Text + string(q.Base64)
	}
	return all
}

// maxValues limits how many values of a request are compared.
const maxValues = 10_000

func flattenInto(all map[string]string, path string, v any) {
	if len(all) > maxValues {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			flattenInto(all, strings.TrimPrefix(path+"."+name, "."), v[name])
		}
	case []any:
		for i, one := range v {
			flattenInto(all, path+"["+strconv.Itoa(i)+"]", one)
		}
	case string:
		all[path] = v
	default:
		all[path] = fmt.Sprint(v)
	}
}

// similarity returns how similar two flattened requests are. An equal value counts 1. For two
// different texts, the share of their common beginning and end counts. A missing value counts -1.
func similarity(a, b map[string]string) (sum float64) {
	for path, text := range a {
		other, ok := b[path]
		if !ok {
			sum--
			continue
		}
		begin, end := commonAffixes(text, other)
		sum += (1 + float64(begin+end)) / (1 + float64(max(len(text), len(other))))
	}
	return sum - float64(max(0, len(b)-len(a)))
}

// difference describes the first difference between a request and a recorded one, in order of JSON
// path; empty: they are equal.
func difference(requested, recorded map[string]string) string {
	var list []string
	for path, text := range requested {
		if other, ok := recorded[path]; !ok || other != text {
			list = append(list, path)
		}
	}
	for path := range recorded {
		if _, ok := requested[path]; !ok {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	if len(list) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s is %s, and now %s", list[0], excerpt(recorded, requested, list[0]),
		excerpt(requested, recorded, list[0]))
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf("; %d more differ", more)
	}
	if slices.ContainsFunc(list,
		func(path string) bool { return differOnlyInSessionID(requested[path], recorded[path]) }) {
		text += "; a session is called the same again with --session-ids seeded and the same --seed"
	}
	return text
}

// sessionIDs matches the session ids that systems generate.
var sessionIDs = regexp.MustCompile(`[0-9a-f]{16}`)

// differOnlyInSessionID reports whether two texts differ only in generated session ids.
func differOnlyInSessionID(a, b string) bool {
	return sessionIDs.MatchString(a) &&
		sessionIDs.ReplaceAllLiteralString(a, "") == sessionIDs.ReplaceAllLiteralString(b, "")
}

// The number of bytes that a message shows before and after the first difference of two texts.
const (
	excerptBefore = 20
	excerptAfter  = 60
)

// excerpt returns a quoted piece of the text at a JSON path, around the first difference from the
// text in the other request.
func excerpt(of, other map[string]string, path string) string {
	text, ok := of[path]
	if !ok {
		return "missing"
	}
	begin, _ := commonAffixes(text, other[path])
	from, to := max(0, begin-excerptBefore), min(len(text), begin+excerptAfter)
	cut := strings.ToValidUTF8(text[from:to], "")
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(text) {
		cut += "…"
	}
	return strconv.Quote(cut)
}
