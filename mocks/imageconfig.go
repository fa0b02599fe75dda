package mocks

import (
	"fmt"
	"time"
)

// ImageConfig says how pictures are made. A synchronous picture takes the
// latency of the component image. A task is created at once, is PENDING for
// Pending, RUNNING for Running and the latency, then done.
type ImageConfig struct {
	Pending     time.Duration
	Running     time.Duration
	ServeImages bool // pictures' addresses lead to the host that was asked; else to nowhere
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
