package mocks

import (
	"fmt"
	"time"
)

// ImageConfig configures image generation. A synchronous image takes the latency of the component
// image. A task is created at once, is PENDING for Pending, then RUNNING for Running plus the
// latency, then done.
type ImageConfig struct {
	Pending     time.Duration
	Running     time.Duration
	ServeImages bool // image URLs use the host of the request; false: a host that does not resolve
}

func (i ImageConfig) validate() error {
	switch {
	case i.Pending < 0:
		return fmt.Errorf("negative Pending %v", i.Pending)
	case i.Running < 0:
		return fmt.Errorf("negative Running %v", i.Running)
	}
	return nil
}
