package studio

import (
	"context"
	"fmt"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// executor is the node that generates the image of a turn.
type executor struct {
	imageGenerator ImageGenerator
	images         *cache.Cache[Image]
	masks          *masks
}

func newExecutor(cfg Config) (executor, error) {
	images, err := cache.New[Image](cache.Config{})
	return executor{imageGenerator: cfg.ImageGenerator, images: images, masks: &masks{}}, err
}

func (e executor) v2(ctx context.Context, s *state) error {
	emitThought(ctx, executorNode, s.say("开始执行任务：", "Starting the task: ")+s.Intent.Action)
	if err := e.execute(ctx, s); err != nil || s.IsPreviousResult {
		return err
	}
	emitThought(ctx, executorNode, s.say("任务执行完成", "The task is complete"))
	return nil
}

func (e executor) v1(ctx context.Context, s *state) error {
	label, seconds := s.say("生成图片", "Generating the image"), "2-3"
	switch s.Intent.Action {
	case ActionInpainting:
		label, seconds = s.say("局部重绘", "Repainting the area"), "3-4"
	case ActionAdjustParameters:
		label = s.say("调整参数", "Adjusting the image")
	}
	emitThought(ctx, executorNode, fmt.Sprintf(s.say("正在%s... 预计需要 %s 秒。", "%s... This takes about %s seconds."), label,
		seconds))
	if s.Intent.Action == ActionInpainting && s.Input.Canvas == "" {
		return errorCode(baseImageRequired)
	}
	if err := e.execute(ctx, s); err != nil {
		return err
	}
	if s.IsPreviousResult {
		s.Content += s.say(" 再次生成没有成功，这是上一次的结果，仍未达到质量要求。",
			" Generating it again failed. This is the previous result, which does not meet the quality standard.")
		if err := emitComponent(ctx, executorNode, message("success", s.Content)); err != nil {
			return err
		}
		return emitComponent(ctx, executorNode, s.retryPanel())
	}
	if err := emitComponent(ctx, executorNode, canvas(s.Result.URL)); err != nil {
		return err
	}
	return emitComponent(ctx, executorNode, s.panel(nil))
}

// execute generates the image. If that fails and an earlier image of the turn exists, it uses that
// image, although the critic rejected it.
func (e executor) execute(ctx context.Context, s *state) error {
	j := ImageRequest{
		Task:            taskOf(s.Intent.Action),
		Prompt:          s.Prompt.Final,
		Parameters:      s.Intent.Parameters,
		RejectedCount:   s.RetryCount,
		PriorImageCount: s.Input.PriorImageCount,
	}
	if j.Task != TaskTextToImage {
		j.BaseImage = s.Input.Canvas
	}
	if j.Task == TaskInpainting {
		j.Mask = s.Input.Mask
	}
	// only once per turn: decoding is expensive, and retries have the same mask
	if s.Input.Mask != "" && j.RejectedCount == 0 {
		if err := e.masks.check(ctx, s.Input.Mask); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("%w: %w", errorCode(invalidMask), err)
		}
	}
	p, err := e.generateCached(ctx, j)
	switch {
	case err == nil:
		s.Result = &p
	case s.Result != nil && ctx.Err() == nil: // a rejected earlier image is better than none
		s.IsPreviousResult = true
		fallback(ctx, executorNode, "last_picture", llm.TraceReason(err))
	default:
		return err
	}
	return nil
}

// generateCached returns the cached image of an identical request. After a rejection by the critic,
// it always generates a new image.
func (e executor) generateCached(ctx context.Context, j ImageRequest) (Image, error) {
	if j.RejectedCount > 0 {
		return e.callGenerator(ctx, j)
	}
	id := cache.Key(j)
	if p, ok := e.images.Get(ctx, id); ok {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheHit, Node: executorNode, Reason: "same_image"})
		return p, nil
	}
	p, err := e.callGenerator(ctx, j)
	if err == nil && p.Reusable {
		e.images.Put(ctx, id, p)
	}
	return p, err
}

// callGenerator calls the image generator. A result without a URL is an error.
func (e executor) callGenerator(ctx context.Context, j ImageRequest) (Image, error) {
	var p Image
	err := clock.CatchPanic(executorNode, func() (err error) {
		p, err = e.imageGenerator.Generate(ctx, j)
		return err
	})
	if err == nil && isBlank(p.URL) {
		err = fmt.Errorf("image without a URL: %w", llm.KindEmptyContent)
	}
	return p, err
}
