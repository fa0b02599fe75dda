package foreign

import (
	"fmt"
	"time"

	"evalctl/agent/system"
)

// Contract is what cases may say of an agent that is not ours.
func Contract() system.Contract { return system.Contract{LabelField: "label", AllowAnyOption: true} }

// Part is the agent itself; at says where it is.
func Part(at func(system.Values) string) system.Component {
	return system.Component{Name: Node, Role: system.RoleRouter, URL: at, UsesVariantModel: func(system.Values) bool { return false }}
}

const (
	defaultTimeout = "60s"
	maxTimeout     = time.Hour
)

// TimeoutSetting is the setting of how long an answer may take.
func TimeoutSetting() system.Setting {
	return system.Setting{Name: "turn-timeout", Help: "`TIME` that an answer may take", Default: defaultTimeout, Check: checkTimeout}
}

func checkTimeout(value string) error {
	if d, err := time.ParseDuration(value); err != nil || d <= 0 || d > maxTimeout {
		return fmt.Errorf("%q is not a duration up to %v, such as 30s", value, maxTimeout)
	}
	return nil
}

// TimeoutValue is the setting's value.
func TimeoutValue(v system.Values) time.Duration {
	d, _ := time.ParseDuration(v["turn-timeout"]) // checked
	return d
}
