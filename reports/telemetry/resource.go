package telemetry

import (
	"errors"
	"strconv"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"

	"evalctl/eval/journal"
)

// resource contains the attributes that all spans and points of a run have in common.
type resource struct {
	proto      *resourcepb.Resource
	scope      *common.InstrumentationScope
	start, end time.Time
}

// resourceOf returns the resource for the manifest of a run. It returns an error if the manifest
// has no start time, for example because there is only a results file.
func resourceOf(m journal.Manifest) (resource, error) {
	if m.Started.Unix() <= 0 || m.Started.Year() > maxYear {
		return resource{}, errors.New("requires a run folder: its manifest has the start time")
	}
	r := resource{start: m.Started, end: m.Started,
		scope: &common.InstrumentationScope{Name: "evalctl", Version: truncated(m.Version, maxText)}}
	if m.Finished != nil && m.Finished.After(m.Started) && m.Finished.Year() <= maxYear {
		r.end = *m.Finished
	}
	var a attributes
	a.text("service.name", "evalctl")
	a.text("service.version", m.Version)
	a.text("evalctl.run.started", m.Started.UTC().Format(time.RFC3339Nano))
	a.text("evalctl.run.seed", strconv.FormatUint(m.Seed, 10))
	a.text("evalctl.run.manifest_hash", m.ManifestHash)
	a.text("evalctl.run.status", string(m.Status))
	a.text("evalctl.clock", m.Clock)
	a.text("evalctl.clock.origin", "run start plus recorded offset")
	r.proto = &resourcepb.Resource{Attributes: a}
	return r, nil
}

// maxYear is the last year of valid start and end times, so that adding durations in nanoseconds
// cannot overflow.
const maxYear = 2200
