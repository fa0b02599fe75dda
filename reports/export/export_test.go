package export

import (
	"context"
	"io"
	"time"
)

// Bounded writes a JUnit report that has at most the given number of bytes.
func Bounded(w io.Writer, r Report, most int) error { return writeJUnit(w, r, most) }

var (
	EscapeXML = escapeXML
	Name      = name
	Message   = escapeMessage
	Property  = escapeProperty
	Label     = escapeLabel
)

// Colors returns the background colors of badges.
func Colors() []string {
	return []string{badgeGrey, badgeGreen, badgeRed, badgeAmber, badgeBlue, badgeLabel}
}

const MaxAnnotations = maxAnnotations

// HeadersVar is the environment variable for the headers of requests to a collector.
const HeadersVar = headersVar

// SetTimeout sets the maximum duration of a request to the collector.
func (c *OTLPConfig) SetTimeout(d time.Duration) { c.timeout = d }

// SetWait sets the function that waits before a request is sent again.
func (c *OTLPConfig) SetWait(wait func(context.Context, time.Duration) error) { c.wait = wait }

// InstrumentOf returns the name, the unit and the kind of the OpenTelemetry metric for a metric, and
// the attribute that identifies the metric in it ("": none).
func InstrumentOf(key string) (name, unit string, isTotal bool, attribute string, value any) {
	i, list := instrumentOf(key)
	for _, a := range list {
		attribute, value = a.name, a.value
	}
	return i.name, i.unit, i.isTotal, attribute, value
}
