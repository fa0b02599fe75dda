package foreign

import (
	"fmt"
	"time"

	"evalctl/agent/system"
)

// Contract returns the contract of all external agents: which fields a case may have.
func Contract() system.Contract { return system.Contract{LabelField: "label", AllowAnyOption: true} }

// Component declares the external agent as a component. at returns its address for given settings.
func Component(at func(system.Values) string) system.Component {
	return system.Component{
		Name:             Node,
		Role:             system.RoleRouter,
		URL:              at,
		UsesVariantModel: func(system.Values) bool { return false },
	}
}

const (
	defaultTimeout = "60s"
	maxTimeout     = time.Hour
)

// TimeoutSetting returns the setting turn-timeout, which limits the time for an answer.
func TimeoutSetting() system.Setting {
	return system.Setting{
		Name:    "turn-timeout",
		Help:    "`TIME` that an answer may take",
		Default: defaultTimeout,
		Check:   checkTimeout,
	}
}

func checkTimeout(value string) error {
	if d, err := time.ParseDuration(value); err != nil || d <= 0 || d > maxTimeout {
		return fmt.Errorf("%q is not a duration up to %v, such as 30s", value, maxTimeout)
	}
	return nil
}

// TimeoutValue returns the value of the setting turn-timeout.
func TimeoutValue(v system.Values) time.Duration {
	d, _ := time.ParseDuration(v["turn-timeout"]) // already checked
	return d
}
