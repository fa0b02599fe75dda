package intent_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"evalctl/agent/toolrouter/intent"
)

var messages = []string{
	"你好", "画一张猫", "现在几点了", "今天天气怎么样？", "draw me a cat", "what time is it",
	"帮我写一封请假邮件，语气客气一点，说明我明天要去医院复查，下午就能回来上班。",
	"能不能帮我生成一张日落时分的海边照片，要有帆船和海鸥，色调暖一些？",
	"What's the latest news about the election in my country, and who is leading?",
	"请问快速排序和归并排序有什么区别，哪个更稳定",
	"搜索一下附近评价好的川菜馆，最好人均一百以内",
	"I keep forgetting how closures capture loop variables in Go. Could you explain it with a short example?",
	"以前画过的那幅画还在吗", "2024年3月发生了什么大事", "🙂🙂🙂", "那个你帮我看一下今天是几月几号我要填表",
	"我最近在学做饭，昨天第一次试着炖牛肉，结果水放得太多，肉又没炖烂，吃起来像煮过头的橡皮。你有什么办法能补救一下吗？另外我想知道炖之前要不要先焯水，香料应该什么时候放，火候怎么掌握才不会柴。家里只有一口普通的铁锅和一个电饭煲，没有高压锅，时间大概两个小时，最好步骤简单一些，适合新手。",
}

// BenchmarkDecide measures Decide for messages of 2 to 200 characters. It reports the mean and the
// time of the median message.
func BenchmarkDecide(b *testing.B) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		intent.Decide(messages[i%len(messages)], all)
		i++
	}
	b.ReportMetric(float64(medianNanos()), "median-ns/op")
}

func BenchmarkDecideMegabyte(b *testing.B) {
	text := strings.Repeat("能不能帮我生成一只画", 1<<20/30)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		intent.Decide(text, all)
	}
}

func medianNanos() int64 {
	const rounds = 2000
	duration := make([]int64, len(messages))
	for i, m := range messages {
		start := time.Now()
		for range rounds {
			intent.Decide(m, all)
		}
		duration[i] = time.Since(start).Nanoseconds() / rounds
	}
	slices.Sort(duration)
	return duration[len(duration)/2]
}
