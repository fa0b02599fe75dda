package play

import (
	"bytes"
	"encoding/json"

	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/reports"
)

// redactedSummary returns the summary without secrets. A report is redacted again after rendering,
// but the format may have escaped or truncated a secret so that it is not recognized.
func redactedSummary(sum eval.Summary, secrets *secret.Set) (clean eval.Summary, err error) {
	if secrets.IsEmpty() {
		return sum, nil
	}
	text, err := json.Marshal(secrets.MarshalRedacted(sum))
	if err == nil {
		err = json.Unmarshal(text, &clean)
	}
	return clean, err
}

func render(format reports.Format, rep reports.Report, secrets *secret.Set) ([]byte, error) {
	var b bytes.Buffer
	err := reports.Write(&b, format, rep)
	if format == reports.JSON {
		return secrets.RedactJSON(b.Bytes()), err
	}
	return []byte(secrets.Redact(b.String())), err
}
