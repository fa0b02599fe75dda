package model

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"evalctl/mocks/component"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/random"
)

// Answer gives a labelled decision to a router, and to who offers the user's
// message a tool that is called as the label is: that tool is called. Others get
// believable words.
func (l *Labelled) Answer(r Request) Answer {
	if r.Component != component.Router && len(r.Tools) == 0 {
		return Answer{Content: speak(r, random.Hash(l.Seed, r.Text))}
	}
	label, confidence, reason := l.decide(r.Text)
	offered := r.byUser() && slices.Contains(r.Tools, label)
	if r.Component != component.Router && !offered {
		return Answer{Content: speak(r, random.Hash(l.Seed, r.Text))}
	}
	a := l.decision(r.Text, label, confidence, reason)
	if offered && a.Refusal == nil {
		a.ToolCalls = []ToolCall{{Name: label}}
	}
	return a
}

// decision says a label as the model is asked to.
func (l *Labelled) decision(text, label string, confidence float64, reason string) Answer {
	if l.Plain {
		return Answer{Content: label}
	}
	b := append(jsontext.AppendString([]byte{'{'}, cmp.Or(l.Field, "route")), ':')
	b = jsontext.AppendString(b, label)
	b = append(b, `,"confidence":`...)
	b = strconv.AppendFloat(b, confidence, 'f', -1, 64)
	b = jsontext.AppendField(append(b, ','), "reason", reason)
	b, err := l.appendFields(b, text, label)
	if err != nil {
		return Answer{Refusal: &Refusal{Status: 400, Message: err.Error()}}
	}
	return Answer{Content: string(append(b, '}'))}
}

const unknownConfidence = 0.3

func (l *Labelled) decide(text string) (label string, confidence float64, reason string) {
	right, ok := l.Label(text)
	if !ok {
		return l.Labels[len(l.Labels)-1], unknownConfidence, because(text, false)
	}
	d := random.Dice{Seed: random.Hash(l.Seed, text)}
	if d.Unit() < l.Accuracy {
		return right, l.Confidence.Right.or(0.9, 0.05).draw(&d), because(text, true)
	}
	return l.wrong(right, &d), l.Confidence.Wrong.or(0.6, 0.15).draw(&d), because(text, true)
}

// wrong picks another label by the confusion's row.
func (l *Labelled) wrong(right string, d *random.Dice) string {
	row := l.Confusion[right]
	weight := func(label string) float64 {
		switch {
		case label == right:
			return 0
		case row == nil:
			return 1
		}
		return row[label]
	}
	sum := 0.0
	for _, label := range l.Labels {
		sum += weight(label)
	}
	x, last := d.Unit()*sum, ""
	for _, label := range l.Labels { // in order: a map's order is not seeded
		w := weight(label)
		if w == 0 {
			continue
		}
		if last = label; x < w {
			break
		}
		x -= w
	}
	return last
}

func (s Spread) or(mean, spread float64) Spread {
	if s == (Spread{}) {
		return Spread{mean, spread}
	}
	return s
}

// draw is normal, kept within 0.01..0.99 and rounded to two digits.
func (s Spread) draw(d *random.Dice) float64 {
	x := s.Mean + s.Spread*d.Normal()
	return math.Round(100*min(max(x, 0.01), 0.99)) / 100
}

func because(text string, known bool) string {
	switch {
	case IsChinese(text) && known:
		return "用户的话里有明确的意图线索"
	case IsChinese(text):
		return "没有明确的意图线索，按默认处理"
	case known:
		return "the message shows a clear intent"
	}
	return "no clear intent, so the default"
}
