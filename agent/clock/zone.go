package clock

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// LoadZone returns the time zone with an IANA name such as Asia/Shanghai. "Local", which depends on
// the machine, is an error.
func LoadZone(name string) (*time.Location, error) {
	if name == "" || name == "Local" || strings.ContainsAny(name, `\.`) {
		return nil, fmt.Errorf("%.60q is not a zone such as Asia/Shanghai", name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%.60q is not a zone such as Asia/Shanghai", name)
	}
	return zone, nil
}

// ZoneFromJSON returns the time zone whose name is a JSON string.
func ZoneFromJSON(raw json.RawMessage) (*time.Location, error) {
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return nil, fmt.Errorf("%.60s is not a name of a zone such as \"Asia/Shanghai\"", raw)
	}
	return LoadZone(name)
}
