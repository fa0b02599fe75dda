package telemetry

import (
	"errors"
	"fmt"
	"mime"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"

	"evalctl/reports/visible"
)

const protobufType = "application/x-protobuf"

// maxWords is how many columns of a collector's own words are told.
const maxWords = 200

// refusal says what the collector answered in place of taking a message: of a
// google.rpc.Status its message, field 2.
func refusal(resp *http.Response, body []byte) error {
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
	return visible.Truncate(visible.EscapeLine(words[:min(len(words), maxAnswer)]), maxWords)
}

// accept reads an Export…ServiceResponse: all was taken, or in field 1 is of how many
// spans or points that is not so, and why.
func (s *ExportResult) accept(kind string, body []byte) error {
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
		s.Reason = words
	}
	return nil
}

// fields are those of a protobuf message that answers are made of; the last counts.
type fields struct {
	numbers map[protowire.Number]uint64
	bytes   map[protowire.Number][]byte
}

var errAnswer = errors.New("the answer is no protobuf: is that a collector?")

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
