package studio

import (
	"context"
	"fmt"

	"evalctl/agent/imagegen"
	"evalctl/agent/trace"
)

// DashScopeGenerator generates images with DashScope, the model service of Alibaba Cloud. Its
// client should have the node "executor" and the retries of ImageRetries.
type DashScopeGenerator struct{ Client *imagegen.Client }

var _ ImageGenerator = DashScopeGenerator{}

// Generate edits the base image of the request. Without a base image it generates a new image. If
// the task is to edit an image, it then records a fallback in the trace.
func (d DashScopeGenerator) Generate(ctx context.Context, j ImageRequest) (Image, error) {
	if j.BaseImage == "" {
		return d.generateNew(ctx, j)
	}
	return d.editImage(ctx, j)
}

// generateNew creates a new image. It uses only the size of the parameters.
func (d DashScopeGenerator) generateNew(ctx context.Context, j ImageRequest) (Image, error) {
	if j.Task != TaskTextToImage {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindFallback,
			Node:   executorNode,
			From:   string(j.Task),
			To:     string(TaskTextToImage),
			Reason: "no_base_image",
		})
	}
	width, height, _, ok := parameters(j.Parameters).size()
	if !ok {
		traceUnusedParameters(ctx, j, "")
		p, err := d.Client.Generate(ctx, j.Prompt)
		return Image{URL: p.URL, Task: TaskTextToImage}, err
	}
	traceUnusedParameters(ctx, j, resolution)
	requested, size := fmt.Sprintf("%d*%d", width, height), d.Client.NearestSize(width, height)
	if size != requested && j.RejectedCount == 0 {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindIgnoredInput,
			Node:   executorNode,
			From:   requested,
			To:     size,
			Reason: "nearest_size",
			Text:   resolution,
		})
	}
	p, err := d.Client.GenerateSized(ctx, j.Prompt, size)
	return Image{URL: p.URL, Task: TaskTextToImage}, err
}

// editImage changes the base image. It uses only the strength of the parameters, and ignores it if
// there is a mask.
func (d DashScopeGenerator) editImage(ctx context.Context, j ImageRequest) (Image, error) {
	r := imagegen.EditRequest{Prompt: j.Prompt, BaseImage: j.BaseImage, Mask: j.Mask}
	used := ""
	if v, _, ok := parameters(j.Parameters).strength(); ok && j.Mask == "" {
		r.Strength, used = &v, styleStrength
	}
	traceUnusedParameters(ctx, j, used)
	p, err := d.Client.Edit(ctx, r)
	return Image{URL: p.URL}, err
}

// traceUnusedParameters records, once per turn, the parameters that the service does not support.
func traceUnusedParameters(ctx context.Context, j ImageRequest, usedName string) {
	if names := parameters(j.Parameters).others(usedName); names != "" && j.RejectedCount == 0 {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindIgnoredInput,
			Node:   executorNode,
			Reason: "unsupported",
			Text:   names,
		})
	}
}
