package telemetry

import (
	"errors"
	"fmt"
	"mime"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"

	"evalctl/agent/text"
)

const protobufType = "application/x-protobuf"

// maxReason is the maximum width, in columns, of a collector's message that an error quotes.
const maxReason = 200

// responseError returns the error for a response with a status other than 200. If the body is a
// google.rpc.Status, the error includes the message in its field 2.
func responseError(resp *http.Response, body []byte) error {
	text := fmt.Sprintf("the collector answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	words := string(body)
	if err == nil && kind == protobufType {
		status, err := fieldsOf(body)
		if err != nil {
			return errors.New(text)
		}
		words = string(status.bytes[2])
	}
	if words = brief(words); words != "" {
		text += ": " + words
	}
	return errors.New(text)
}

func brief(words string) string {
	return text.Truncate(text.EscapeLine(words[:min(len(words), maxAnswer)]), maxReason)
}

// addResponse reads the body of a successful response, an Export…ServiceResponse. An empty body
// means that the collector accepted everything. Otherwise field 1 contains the number of rejected
// spans or points, and the reason.
func (s *ExportResult) addResponse(kind string, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	media, _, err := mime.ParseMediaType(kind)
	if err != nil || media != protobufType {
		return fmt.Errorf("the answer is %s, and not %s: is that a collector?", brief(kind), protobufType)
	}
	answer, err := fieldsOf(body)
	if err != nil {
		return err
	}
	partial, err := fieldsOf(answer.bytes[1])
	if err != nil {
		return err
	}
	if n := int64(partial.numbers[1]); n > 0 {
		s.Rejected += n
	}
	if words := brief(string(partial.bytes[2])); words != "" {
		s.RejectReason = words
	}
	return nil
}

// fields contains the fields of a protobuf message by number. If a field occurs several times, the
// last value counts.
type fields struct {
	numbers map[protowire.Number]uint64
	bytes   map[protowire.Number][]byte
}

var errAnswer = errors.New("the answer is not a protobuf: is that a collector?")

func fieldsOf(message []byte) (fields, error) {
	f := fields{map[protowire.Number]uint64{}, map[protowire.Number][]byte{}}
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return f, errAnswer
		}
		message = message[n:]
		switch kind {
		case protowire.VarintType:
			f.numbers[number], n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			f.bytes[number], n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return f, errAnswer
		}
		message = message[n:]
	}
	return f, nil
}
