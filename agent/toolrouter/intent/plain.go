package intent

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/dfa"
)

const (
	firstHan, lastHan = 0x4e00, 0x9fff

	// maximum length, in characters, of a clause, and of a clause before a comma that becomes part
	// of the next one
	maxClause, maxJoined = 300, 16

	maxReadPerEnd = 32_768 // bytes at the beginning and at the end that are read of a longer message
)

// quotation matches quoted text, which is not part of a request. In 27" the quote means inches.
var quotation = regexp.MustCompile(`“[^“”]*”|「[^「」]*」|『[^『』]*』|《[^《》]*》|^"[^"]*"|([^0-9])"[^"]*"`)

func opensQuotation(r rune) bool {
	switch r {
	case '“', '「', '『', '《', '"':
		return true
	}
	return false
}

// clauses returns the normalized clauses of a message, the form in which patterns are matched.
func (b *ruleBook) clauses(text string) []clause {
	if len(text) > 2*maxReadPerEnd {
		text = text[:maxReadPerEnd] + "\n" + text[len(text)-maxReadPerEnd:]
	}
	if strings.ContainsFunc(text, opensQuotation) && len(quotation.FindString(text)) < len(text) {
		text = quotation.ReplaceAllString(text, "${1}ʺʺ")
	}
	w := writer{ruleBook: b}
	w.plain.Grow(len(text))
	for r, size := decode(text); size > 0; {
		text = text[size:]
		next, following := decode(text)
		w.character(r, next)
		r, size = next, following
	}
	w.end('\n')
	return w.clauses
}

func decode(text string) (rune, int) {
	r, size := utf8.DecodeRuneInString(text)
	return fold(r), size
}

func fold(r rune) rune {
	switch {
	case isHan(r):
		return simplified[r-firstHan]
	case r >= '！' && r <= '～':
		return fold(r - '！' + '!')
	case r == '’':
		return '\''
	case r == '〇':
		return '零'
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	}
	return r
}

type writer struct {
	*ruleBook
	plain   strings.Builder
	from    int  // start of the current clause in plain
	length  int  // length of the current clause in characters
	last    rune // last written character of the clause; 0 at its start
	space   bool // a character was skipped after last
	clauses []clause
}

func (w *writer) character(r, next rune) {
	switch {
	case isHan(r), unicode.IsLetter(r), unicode.IsDigit(r), (r == '.' || r == '\'') && w.inside(next):
		w.write(r)
	case r == ',' && w.last <= '9' && w.inside(next): // a comma within a number: 1,000
	case strings.ContainsRune(".,。｡!?;…\n\r\u2028\u0085", r):
		w.end(r)
	default:
		w.space = true
	}
}

// inside reports whether the current character is within a word. next is the character after it.
func (w *writer) inside(next rune) bool { return usesSpaces(w.last) && usesSpaces(next) && !w.space }

func (w *writer) write(r rune) {
	if w.length >= maxClause {
		w.end('\n')
	}
	if w.space && usesSpaces(w.last) && usesSpaces(r) {
		w.plain.WriteByte(' ')
	}
	w.plain.WriteRune(r)
	w.last, w.space = r, false
	w.length++
}

// end ends the current clause. A short clause before a comma becomes part of the next one if it
// names a place, a condition or a month, as in "in Tokyo, what time is it".
func (w *writer) end(stop rune) {
	w.last, w.space = 0, false
	if w.length == 0 {
		return
	}
	c := w.clause(w.plain.String()[w.from:])
	if c.lists&w.abbreviations != 0 {
		c = w.clause(strings.TrimSpace(expandAbbreviations.Replace(" " + c.text + " ")))
	}
	if stop == ',' && w.length <= maxJoined && w.opener.matches(&c) {
		w.plain.WriteByte(',')
		return
	}
	refuses := w.refusal.matches(&c)
	c = w.rewrite(c)
	c.refusesSearch = refuses
	w.clauses = append(w.clauses, c)
	w.from, w.length = w.plain.Len(), 0
}

// usesSpaces reports whether r belongs to a script in which spaces separate words.
func usesSpaces(r rune) bool {
	return r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// expandAbbreviations replaces English abbreviations by full words.
var expandAbbreviations = strings.NewReplacer(" u ", " you ", " ur ", " your ", " pls ", " please ", " plz ",
	" please ", " wanna ", " want to ", " gimme ", " give me ", " tmr ", " tomorrow ", " tmrw ", " tomorrow ")

const abbreviations = "u_ _u ur pls plz wanna gimme tmr"

var openerRows = []patternRow{{words: "in at if on 如果 假如 要是 年",
	match: `^(?:in|at|if|on)\b|^(?:如果|假如|要是)|^[^我他她它]*{month}[^我他她它]*$`}}

// negations lists a word of every negated verb.
const negations = "别 不 勿 甭 禁止 谁让 谁要 谁叫 没让 没叫 没要 没请 n't dont cannot never unable not_ no_need without 必要 无需 无须 毋需 毋须 停止 avoid stop skip"

// refusalRows contains the pattern for a search that the user refuses: 不用搜, "no need to google".
var refusalRows = []patternRow{{words: negations,
	match: `{refuse}(?:{between}|网上)*(?:搜|检索|查(?:[^重处封房岗]|$)|百度|谷歌|search|google|browse|(?:联网|上网)(?:[了啦吧哈]|$))` +
		`|\b{erefuse}(?: (?:(?:want|need|have)(?: you)? to|bother(?: to)?|please|just|even|go and|go))* {esearch}\b`}}

// rewriteRows are replacements in clauses. They remove phrases that only resemble a request. If a
// clause contains a word of on, every match of find is replaced by put.
var rewriteRows = []struct{ on, find, put string }{
	{negations, // a negated verb: 不要画
		`(?:{dont}{between}*|\b{cannot} (?:want to |need to |ever |just )?){verb}`, "×"},
	{"生成 制作 创作", `{howto}[^帮请给不无,]{0,12}?{make}`, "×"},    // a how-to question: 怎么制作
	{"图 动画", `(?:[试企意力贪]|^|[^俯仰鸟])视图|[试企意力贪]图|动画片?`, "×"}, // 图 in words such as 试图 that name no image
	{"生成 制作 创作", `({make}.*{pic}.*?){caption}.*`, "$1"},   // a text that is written in the image
	{"生成 制作 创作", `({make}.*?){caption}[^的]*`, "${1}张"},    // a text that is written on something else
	// an image word before a text: the text is requested
	{"生成 制作 创作", `({make}.*?)(?:{pic}|{chart})的?({text})`, "$1$2"},
}

type rewrite struct {
	on   lists
	find *dfa.Regexp
	put  string
}

func (b *ruleBook) compileRewrites() (list []rewrite) {
	for _, r := range rewriteRows {
		list = append(list, rewrite{on: b.add(r.on), find: expand(r.find), put: r.put})
	}
	return list
}

func (b *ruleBook) rewrite(c clause) clause {
	for i := range b.rewrites {
		if r := &b.rewrites[i]; c.lists&r.on != 0 {
			if text := r.find.ReplaceAllString(c.text, r.put); text != c.text {
				c = b.clause(text)
			}
		}
	}
	return c
}

// Normalize returns a text in lower case. It replaces the traditional characters that occur in the
// rules by simplified ones.
func Normalize(text string) string {
	return strings.Map(func(r rune) rune {
		if isHan(r) {
			return simplified[r-firstHan]
		}
		return unicode.ToLower(r)
	}, text)
}

func isHan(r rune) bool { return r >= firstHan && r <= lastHan }

// simplified maps the traditional characters that occur in the rules to simplified ones.
var simplified = func() (plain [lastHan - firstHan + 1]rune) {
	for i := range plain {
		plain[i] = firstHan + rune(i)
	}
	for pair := range strings.FieldsSeq(variants) {
		p := []rune(pair)
		plain[p[0]-firstHan] = p[1]
	}
	return plain
}()

const variants = `萬万 與与 兩两 個个 為为 爲为 舉举 義义 樂乐 習习 書书 爭争 於于 從从 倉仓 們们 價价 優优 會会 傳传 體体 偵侦 關关 兒儿 內内 冊册 寫写 軍军 衝冲 沖冲 決决 況况 準准 幾几 擊击 劃划 則则 剛刚 創创 別别 製制 劇剧 務务 動动 勞劳
勢势 區区 協协 單单 歷历 曆历 雙双 發发 髮发 變变 號号 後后 嚮向 嗎吗 啟启 啓启 員员 週周 麼么 麽么 團团 國国 圖图 塊块 壇坛 聲声 處处 複复 復复 夠够 頭头 獎奖 媽妈 學学 實实 審审 對对 尋寻 導导 將将 層层 幣币 師师 幫帮 幹干
並并 併并 廣广 庫库 應应 開开 張张 錄录 當当 態态 憶忆 總总 戰战 據据 戶户 撲扑 報报 掛挂 攜携 數数 無无 時时 顯显 暱昵 術术 機机 條条 來来 構构 樣样 標标 棟栋 樹树 欄栏 檔档 檢检 槪概 歡欢 氣气 匯汇 彙汇 滙汇 沒没 災灾 熱热
點点 愛爱 靈灵 煩烦 狀状 貓猫 現现 電电 畫画 畵画 盤盘 盞盏 確确 禮礼 種种 稱称 離离 筆笔 簡简 籤签 簽签 類类 係系 繫系 繋系 緊紧 紅红 約约 級级 紀纪 綱纲 紙纸 線线 練练 組组 織织 紹绍 經经 結结 繪绘 給给 絡络 統统 繼继 續续
維维 編编 網网 罷罢 羣群 職职 聯联 腦脑 腳脚 騰腾 藝艺 節节 獲获 藍蓝 襲袭 裝装 規规 視视 計计 訂订 認认 讓让 議议 訊讯 記记 講讲 許许 論论 證证 評评 識识 訴诉 詞词 譯译 試试 詩诗 話话 詢询 語语 誤误 說说 説说 請请 課课 誰谁
調调 謝谢 譜谱 穀谷 敗败 帳账 賬账 質质 貪贪 購购 貼贴 費费 賀贺 資资 賽赛 趕赶 輪轮 軸轴 輔辅 輛辆 輸输 達达 過过 運运 還还 這这 進进 連连 選选 郵邮 採采 釋释 裡里 裏里 鑑鉴 鑒鉴 鐘钟 鍾钟 鈕钮 鑰钥 錢钱 鈴铃 鏈链 錯错 鍵键
長长 閉闭 問问 間间 聞闻 陽阳 陣阵 隨随 難难 頁页 頂顶 順顺 頒颁 預预 頻频 題题 額额 風风 飢饥 飾饰 餅饼 館馆 馬马 驗验 驟骤 魚鱼 鮮鲜 鴉鸦 龍龙 臺台 檯台 颱台 衹只 隻只 祇只 誌志 妳你 妝妆 粧妆 塗涂 濃浓 溫温 麵面 託托 鬥斗
麯曲 佈布 著着 蒐搜 闆板 彫雕 註注 綵彩 鋼钢 鉛铅 蠟蜡 邊边 碼码 換换 刪删 讀读`
