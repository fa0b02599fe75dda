package mocks

import (
	"fmt"
	"time"
)

// ImageConfig configures simulated image generation. A synchronous request takes the latency of the
// image component. An asynchronous task is created at once. It is PENDING for Pending, then RUNNING
// for Running plus the latency, then done.
type ImageConfig struct {
	Pending time.Duration // how long a task is PENDING
	Running time.Duration // how long a task is RUNNING, in addition to the latency
	// true: image URLs point to this server; false: image URLs have a host that does not resolve
	ServeImages bool
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
