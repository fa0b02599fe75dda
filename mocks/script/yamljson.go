package script

import (
	"fmt"
	"math"
	"strconv"

	"github.com/goccy/go-yaml"

	"evalctl/mocks/jsontext"
)

// appendYAML appends a YAML value as JSON, with keys in the order of the file.
func appendYAML(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return jsontext.AppendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case uint64:
		return strconv.AppendUint(b, v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(b, "null"...)
		}
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case []any:
		return appendYAMLList(b, v)
	case yaml.MapSlice:
		return appendYAMLMap(b, v)
	}
	return jsontext.AppendString(b, fmt.Sprint(v))
}

func appendYAMLList(b []byte, list []any) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendYAML(b, v)
	}
	return append(b, ']')
}

func appendYAMLMap(b []byte, m yaml.MapSlice) []byte {
	b = append(b, '{')
	for i, item := range m {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendString(b, fmt.Sprint(item.Key)), ':')
		b = appendYAML(b, item.Value)
	}
	return append(b, '}')
}
