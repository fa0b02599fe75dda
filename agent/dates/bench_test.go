package dates_test

import (
	"strings"
	"testing"
	"time"

	"evalctl/agent/dates"
)

// messages are typical messages of about 40 characters, with and without a date.
var messages = []string{
	"诶我上上周三跟你说的那个餐厅叫啥来着，就是在河边能看见桥的那家店",
	"我最近在学做饭，昨天第一次试着炖牛肉，结果水放得太多，肉又没炖烂怎么办",
	"11月3号到5号我们是不是聊过搬家的事，还有那张旧沙发到底要不要留下来",
	"你觉得我要不要换工作，新公司离家远一点但是钱多，同事看着也挺好相处",
	"what did I tell you last Monday about work",
	"can you recommend a book on gardening to me",
}

func BenchmarkRead(b *testing.B) {
	now := time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		dates.Find(messages[i%len(messages)], now)
		i++
	}
}

func BenchmarkReadHostile(b *testing.B) {
	now := time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC)
	text := strings.Repeat("12月", 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		dates.Find(text, now)
	}
}
