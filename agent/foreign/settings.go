package foreign

import (
	"fmt"
	"time"

	"evalctl/agent/system"
)

// Contract is what cases may say of an agent that is not ours.
func Contract() system.Contract { return system.Contract{Field: "label", AnyOption: true} }

// Part is the agent itself; at says where it is.
func Part(at func(system.Values) string) system.Part {
	return system.Part{Name: Node, Work: system.Decides, Address: at, ByModel: func(system.Values) bool { return false }}
}

const (
	usualTimeout = "60s"
	maxTimeout   = time.Hour
)

// Timeout is the setting of how long an answer may take.
func Timeout() system.Setting {
	return system.Setting{Name: "turn-timeout", Help: "`TIME` that an answer may take", Usual: usualTimeout, Check: checkTimeout}
}

func checkTimeout(value string) error {
	if d, err := time.ParseDuration(value); err != nil || d <= 0 || d > maxTimeout {
		return fmt.Errorf("%q is not a duration up to %v, such as 30s", value, maxTimeout)
	}
	return nil
}

// TimeoutOf is the setting's value.
func TimeoutOf(v system.Values) time.Duration {
	d, _ := time.ParseDuration(v["turn-timeout"]) // checked
	return d
}
