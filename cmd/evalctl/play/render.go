package play

import (
	"bytes"
	"encoding/json"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/reports"
)

// hidden is a summary without secrets. They go before it is rendered, too: what a
// format escapes or cuts is no longer the secret to the letter.
func hidden(sum eval.Summary, secrets *secret.Set) (clean eval.Summary, err error) {
	if secrets.IsEmpty() {
		return sum, nil
	}
	text, err := json.Marshal(secrets.Hide(sum))
	if err == nil {
		err = json.Unmarshal(text, &clean)
	}
	for i, s := range sum.Suites {
		if i < len(clean.Suites) {
			clean.Suites[i].Sources, clean.Suites[i].Decider = s.Sources, s.Decider
		}
	}
	return clean, err
}

// render is a report without secrets.
func render(format reports.Format, rep reports.Report, secrets *secret.Set) ([]byte, error) {
	var b bytes.Buffer
	err := reports.Write(&b, format, rep)
	if format == reports.JSON {
		return secrets.JSON(b.Bytes()), err
	}
	return []byte(secrets.Replace(b.String())), err
}
