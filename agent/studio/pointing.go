package studio

import "regexp"

// pointing is a wish to change a place that only a mask would show.
var pointing = regexp.MustCompile(`(?i)(?:修改|改|换|重画|重绘|去掉|擦|抹|涂|删)[^，。！？,.!?]{0,4}(?:这里|这儿|这块|此处|这部分|这个地方|这个位置)|` +
	`(?:这里|这儿|这块|此处|这部分|这个地方|这个位置)[^，。！？,.!?]{0,6}(?:改|换|重画|重绘|去掉|擦|抹|涂|删)|` +
	`\b(?:change|edit|fix|remove|erase|replace|redo|modify)\b.{0,12}\b(?:here|this (?:part|area|spot|bit|place))\b`)

// pointsAt tells a wish to change a place that nobody can see.
func (in input) pointsAt() bool { return in.Mask == "" && pointing.MatchString(in.Text) }
