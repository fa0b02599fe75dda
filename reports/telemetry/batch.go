package telemetry

import (
	"context"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Limits for a message to the collector, before compression.
const (
	maxItems = 1000 // number of spans or points
	maxBytes = 1 << 20
)

// spanBatch collects spans and sends them to the collector in batches. It uses the message
// TracesData, which has the same encoding as ExportTraceServiceRequest.
type spanBatch struct {
	poster   *poster
	resource resource
	list     []*tracepb.Span
	bytes    int
}

func (b *spanBatch) add(ctx context.Context, s *span) error {
	n := proto.Size(s.proto)
	if len(b.list) > 0 && (len(b.list) == maxItems || b.bytes+n > maxBytes) {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	b.list, b.bytes = append(b.list, s.proto), b.bytes+n
	return nil
}

func (b *spanBatch) flush(ctx context.Context) error {
	if len(b.list) == 0 {
		return nil
	}
	err := b.poster.post(ctx, "traces", &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: b.resource.proto, ScopeSpans: []*tracepb.ScopeSpans{{Scope: b.resource.scope, Spans: b.list}},
	}}})
	if err == nil {
		b.poster.sent.Spans += int64(len(b.list))
	}
	clear(b.list) // so that the memory of the sent spans can be freed
	b.list, b.bytes = b.list[:0], 0
	return err
}
