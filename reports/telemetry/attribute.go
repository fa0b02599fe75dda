package telemetry

import (
	"strings"
	"unicode/utf8"

	common "go.opentelemetry.io/proto/otlp/common/v1"
)

// Maximum lengths of attribute values in bytes: for names and labels, and for the texts of
// messages.
const (
	maxText    = 1 << 10
	maxContent = 64 << 10
)

type attributes []*common.KeyValue

func (a *attributes) text(name, value string) {
	if value != "" {
		a.add(name, textValue(truncated(value, maxText)))
	}
}

func (a *attributes) list(name string, values []string) {
	if len(values) == 0 {
		return
	}
	all := &common.ArrayValue{}
	for _, v := range values[:min(len(values), maxList)] {
		all.Values = append(all.Values, textValue(truncated(v, maxText)))
	}
	a.add(name, &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: all}})
}

const maxList = 64

func (a *attributes) integer(name string, value int64) {
	a.add(name, &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: value}})
}

func (a *attributes) number(name string, value float64) {
	a.add(name, &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: value}})
}

func (a *attributes) boolean(name string, value bool) {
	a.add(name, &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: value}})
}

func (a *attributes) add(name string, value *common.AnyValue) {
	*a = append(*a, &common.KeyValue{Key: name, Value: value})
}

func textValue(text string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: text}}
}

// truncated returns a text cut to at most the given number of bytes, as valid UTF-8, which protobuf
// requires.
func truncated(text string, most int) string {
	if len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
