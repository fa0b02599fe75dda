package model

import (
	"fmt"
	"strings"
	"time"

	"evalctl/mocks/random"
)

// WebPage is one result of a simulated web search.
type WebPage struct {
	Title, URL string
	Site       string    // URL of the site, without the path
	Snippet    string    // the passage that matches the query
	Text       string    // longer text that begins with Snippet
	Score      float64   // relevance to the query, 0..1
	Date       time.Time // date of publication
}

// Icon returns the URL of the site's favicon.
func (p WebPage) Icon() string { return p.Site + "/favicon.ico" }

// pageTemplate generates pages of one kind. "{}" is replaced by the topic.
type pageTemplate struct{ path, title, snippet, more string }

// sites are the sites of simulated pages. Their domain names are reserved for examples (RFC 2606).
var sites = []string{"https://lab.example.org", "https://news.example.com", "https://wiki.example.org",
	"https://blog.example.net"}

// maxPageAge is the maximum age of a simulated page.
const maxPageAge = 700 * 24 * time.Hour

// SamplePages returns n simulated search results for a query, in the language of the query, best
// first. No page is older than since; 0: any age. The result depends only on the arguments.
func SamplePages(query string, n int, since time.Duration, seed uint64, now time.Time) []WebPage {
	kinds := englishKinds
	if IsChinese(query) {
		kinds = chineseKinds
	}
	if since <= 0 {
		since = maxPageAge
	}
	topic := strings.TrimRight(Excerpt(query), "?？!！.。")
	d := random.Rand{Seed: seed}
	first := int(d.Uint64() % uint64(len(kinds)))
	var pages []WebPage
	for i := range n {
		k := kinds[(first+i)%len(kinds)]
		p := WebPage{
			Site:    sites[int(d.Uint64()%uint64(len(sites)))],
			Title:   strings.ReplaceAll(k.title, "{}", topic),
			Snippet: strings.ReplaceAll(k.snippet, "{}", topic),
			Score:   max(0.05, 0.98-0.015*float64(i)-0.01*d.Float64()),
			Date:    now.Add(-time.Duration(d.Float64() * float64(since))),
		}
		p.Text = p.Snippet + strings.ReplaceAll(k.more, "{}", topic)
		p.URL = fmt.Sprintf("%s/%s/%08x", p.Site, k.path, uint32(d.Uint64()))
		pages = append(pages, p)
	}
	return pages
}

var chineseKinds = []pageTemplate{
	{"survey", "{}：现状、方法与展望", "本文梳理「{}」的主要方法与公开数据，比较各自的适用条件，并列出尚未解决的问题。", "文中按时间顺序介绍代表性工作，最后讨论评测口径不一致带来的困难。"},
	{"guide", "一文读懂{}", "从基本概念讲起，用几个例子说明「{}」是怎么一回事，文末附有延伸阅读。", "适合第一次接触这个题目的读者，不要求专业背景。"},
	{"news", "{}的最新进展", "近期围绕「{}」有新的论文和公开数据发布，不少团队在讨论结果能否复现。", "报道采访了几位研究者，他们对应用前景的看法并不一致。"},
	{"faq", "关于{}的常见问题", "汇总读者对「{}」最常提出的问题，并给出简短的回答和出处。", "问题按主题排列，每条回答之后标明更新日期。"},
	{"data", "{}：数据集与基准", "整理与「{}」有关的公开数据集，说明规模、许可和常用的评测指标。", "表格中还列出了各数据集的下载方式与已知缺陷。"},
	{"notes", "{}研讨会纪要", "会议围绕「{}」讨论了三个议题，并约定下一步的分工。", "纪要由组织者整理，发言内容经本人确认。"},
	{"opinion", "行业观察：{}的落地与成本", "作者从成本、风险和人员三个方面分析「{}」在实际项目中的得失。", "文章认为应当先在小范围内试用，再决定是否推广。"},
	{"course", "{}入门教程", "分步骤介绍「{}」的常用做法，附练习和参考答案。", "每一节末尾列出进一步阅读的材料。"},
}

var englishKinds = []pageTemplate{
	{"survey", "{}: a survey of methods and open problems",
		"This survey compares the main approaches to \"{}\", says when each applies and lists what is still open.",
		" Representative work is presented in order of time, with a discussion of how evaluations differ."},
	{"guide", "{} explained",
		"Starting from the basic ideas, a few examples show what \"{}\" is about; further reading is listed at the end.", " No background is required."},
	{"news", "What is new in {}",
		"New papers and public data on \"{}\" were released recently, and several teams discuss whether the results can be reproduced.", " The researchers interviewed do not agree on how soon it will be used."},
	{"faq", "{}: frequently asked questions",
		"Short answers, with sources, to what readers most often ask about \"{}\".",
		" Questions are sorted by topic, and each answer bears the date of its last update."},
	{"data", "{}: data sets and benchmarks",
		"Public data sets on \"{}\", with their sizes, licences and usual metrics.",
		" A table lists how to obtain each of them and what is known to be wrong with it."},
	{"notes", "Workshop notes on {}",
		"The workshop discussed three questions about \"{}\" and agreed on who does what next.",
		" The notes were checked by the speakers."},
	{"opinion", "{} in practice: costs and risks",
		"The author weighs costs, risks and people in projects that deal with \"{}\".",
		" The advice is to try it on a small scale first."},
	{"course", "A first course on {}", "Common ways to go about \"{}\", step by step, with exercises and solutions.",
		" Each section ends with material for further reading."},
}
