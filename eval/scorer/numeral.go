package scorer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// readNumberInWords parses a number at the start of text that is not written in digits alone, such
// as "thirty-seven", 三十七, 百分之31, 三分之二 or "minus three". It returns the number in
// canonical form, with % for a percentage, and its length in bytes; 0 if there is none. A run such
// as 七八 (seven or eight) is not one number: value is "" and n is the length of the run.
func readNumberInWords(text string) (value string, n int) {
	for _, minus := range []string{"minus ", "负", "零下"} {
		if rest, ok := strings.CutPrefix(text, minus); ok {
			if value, n := readUnsigned(rest); value != "" {
				return "-" + value, len(minus) + n
			}
		}
	}
	if rest, ok := strings.CutPrefix(text, "百分之"); ok {
		rest = strings.TrimLeft(rest, " ")
		if value, n := readUnsigned(rest); value != "" {
			return value + "%", len(text) - len(rest) + n
		}
	}
	value, n = readNumeral(text)
	if value == "" {
		return "", n
	}
	if rest, ok := strings.CutPrefix(text[n:], "分之"); ok {
		if above, m := readNumeral(rest); above != "" {
			return above + "of" + value, n + len("分之") + m // as 2/3
		}
	}
	return value, n
}

// notTenths are characters after 成 with which it is part of another word: 唯一成果.
const notTenths = "立果功本绩分品熟长套型效就"

// readTenths parses 成, tenths of a whole, after a number: 三成 is 30% and 三成五 is 35%. n is 0 if there is none.
func readTenths(value, text string) (percent string, n int) {
	rest, ok := strings.CutPrefix(text, "成")
	if !ok {
		return "", 0
	}
	next, size := utf8.DecodeRuneInString(rest)
	tenths := integer(value)
	if tenths < 1 || tenths > 9 || size > 0 && strings.ContainsRune(notTenths, next) ||
		strings.HasPrefix(rest, "员") && !strings.HasPrefix(rest, "员工") {
		return "", 0
	}
	hundredths := digitOf(next)
	if next == '半' {
		hundredths = 5
	}
	if hundredths < 1 {
		return number(strconv.FormatInt(10*tenths, 10), 0), len("成")
	}
	return number(strconv.FormatInt(10*tenths+int64(hundredths), 10), 0), len("成") + size
}

const (
	// beforeHalf are characters before 半 with which it is no half of the unit after it: 上半年, 一半.
	beforeHalf = chineseNumerals + "上下前后大多几过第"
	// afterUnitHalf are characters after 半 with which it is no half of the unit before it: 三天半夜里.
	afterUnitHalf = "夜径个导数途月天年小价场截百载"
)

// readHalfUnit parses the number in front of a unit in "half an hour", "an hour and a half", "a quarter of an hour" and
// 半小时, and numbers such as "half a million". It returns the number, and its length in bytes without the unit; 0 if
// there is none.
func readHalfUnit(text string, before rune) (value string, n int) {
	if rest, ok := strings.CutPrefix(text, "半"); ok {
		unit, _ := readUnit(rest)
		if next, _ := utf8.DecodeRuneInString(rest); measures[unit].unit == "" || next < utf8.RuneSelf ||
			strings.ContainsRune(beforeHalf, before) {
			return "", 0
		}
		return "5e-1", len("半")
	}
	if text == "" || text[0] != 'a' && text[0] != 'h' || alphabetic(before) {
		return "", 0
	}
	switch first := leadingWord(text); first {
	case "a", "an":
		rest, _ := strings.CutPrefix(text[len(first):], " ")
		if unit, size := readUnit(rest); unit == "quarter of an hour" || unit != "" && halfLength(rest[size:]) > 0 {
			return "1e0", len(first)
		}
	case "half":
		const shortest = 3 // bytes; a shorter unit is a symbol, which does not follow "half"
		for _, article := range []string{" an ", " a ", "-", " "} {
			rest, ok := strings.CutPrefix(text[len(first):], article)
			if !ok {
				continue
			}
			if _, size := readUnit(rest); size >= shortest && rest[0] < utf8.RuneSelf {
				return "5e-1", len(first) + len(strings.TrimRight(article, " -"))
			}
			if word := leadingWord(rest); article == " a " && isScale(word) {
				half, _ := readEnglishNumeral(word) // an even number
				return number(strconv.FormatInt(integer(half)/2, 10), 0), len(first) + len(article) + len(word)
			}
		}
	}
	return "", 0
}

// halfLength returns the length of "and a half" or 半 after a unit, which adds a half to its amount; 0 if there is none.
func halfLength(text string) int {
	if rest, ok := strings.CutPrefix(text, " and a half"); ok && leadingWord(rest) == "" {
		return len(text) - len(rest)
	}
	rest, ok := strings.CutPrefix(text, "半")
	if next, size := utf8.DecodeRuneInString(rest); !ok || size > 0 && strings.ContainsRune(afterUnitHalf, next) {
		return 0
	}
	return len("半")
}

// plusHalf adds a half to a positive integer in canonical form. Another number is unchanged.
func plusHalf(value string) string {
	if n := integer(value); n > 0 {
		return number(strconv.FormatInt(n, 10)+".5", 0)
	}
	return value
}

// readUnsigned parses a number in digits or words at the start of text.
func readUnsigned(text string) (value string, n int) {
	if isDigit(text, 0) {
		return readNumber(text)
	}
	return readNumeral(text)
}

// readNumeral parses a number in English or Chinese words at the start of text.
func readNumeral(text string) (value string, n int) {
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case alphabetic(r):
		return readEnglishNumeral(text)
	case strings.ContainsRune(chineseNumerals, r):
		return readChineseNumeral(text)
	}
	return "", 0
}

var (
	smallNumbers = map[string]int{
		"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
		"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
		"seventeen": 17, "eighteen": 18, "nineteen": 19,
	}
	tens = map[string]int{
		"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	}
	multiples = map[string]int{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
)

// readEnglishNumeral parses words such as "one hundred and five" or "two million". A scale may stand
// alone, because "a hundred" is 100.
func readEnglishNumeral(text string) (string, int) {
	if rest, ok := strings.CutPrefix(text, "a "); ok && isScale(leadingWord(rest)) { // a dozen is 12
		value, n := readEnglishNumeral(rest)
		return value, len("a ") + n
	}
	const maxScale = 1e15
	total, group, n := 0, 0, 0
	scale := int(maxScale) // the next scale must be smaller
	last := ""             // kind of the last word
	for at := 0; ; {
		word := leadingWord(text[at:])
		small, isSmall := smallNumbers[word]
		ten, isTen := tens[word]
		multiple, isMultiple := multiples[word]
		switch {
		case isSmall && (last == "" || last == "hundred" || last == "scale" || last == "tens" && 0 < small && small < 10):
			group, last = group+small, "small"
		case isTen && (last == "" || last == "hundred" || last == "scale"):
			group, last = group+ten, "tens"
		case word == "hundred" && (last == "" || last == "small" && 0 < group && group < 100):
			group, last = max(group, 1)*100, "hundred"
		case word == "dozen" && (last == "" || last == "small" && 0 < group && group < 100):
			group, last = max(group, 1)*12, "dozen"
		case isMultiple && last != "scale" && multiple < scale:
			total, group, scale, last = total+max(group, 1)*multiple, 0, multiple, "scale"
		default:
			if n == 0 {
				return "", 0
			}
			return withHalf(total+group, text, n)
		}
		n = at + len(word)
		at = n
		if at < len(text) && (text[at] == ' ' || text[at] == '-' && last == "tens") {
			at++
		}
		if rest, ok := strings.CutPrefix(text[at:], "and "); ok && (last == "hundred" || last == "scale") {
			if next := leadingWord(rest); !strings.HasPrefix(rest, next+" hundred") {
				at += len("and ")
			}
		}
		if at == n { // no separator: the numeral ends here
			return withHalf(total+group, text, n)
		}
	}
}

// isScale reports whether a word multiplies the number before it.
func isScale(word string) bool {
	return word == "hundred" || word == "dozen" || multiples[word] > 0
}

// withHalf returns a number that ends at position n of the text, together with "and a half" and a multiplier after it,
// as in "one and a half million".
func withHalf(value int, text string, n int) (string, int) {
	rest, ok := strings.CutPrefix(text[n:], " and a half")
	if !ok || rest != "" && partOfWord(rune(rest[0])) {
		return number(strconv.Itoa(value), 0), n
	}
	tens, size := scale(rest)
	return number(strconv.Itoa(value)+".5", tens), len(text) - len(rest) + size
}

// leadingWord returns the letters at the start of text.
func leadingWord(text string) string {
	return text[:len(text)-len(strings.TrimLeftFunc(text, partOfWord))]
}

const (
	chineseDigits   = "零一二三四五六七八九"
	chineseNumerals = chineseDigits + "〇两十百千万亿"
)

// chineseScales lists the multipliers in Chinese numerals.
var chineseScales = map[rune]int{'十': 10, '百': 100, '千': 1000, '万': 1e4, '亿': 1e8}

// readChineseNumeral parses a numeral such as 三十七, 两千三, 二〇二四, 三点五 or 一万二千.
func readChineseNumeral(text string) (string, int) {
	run := text[:len(text)-len(strings.TrimLeft(text, chineseNumerals))]
	if short, ok := strings.CutSuffix(run, "千"); ok && short != "" && startsUnitName(text[len(short):]) {
		run = short // 五千米 is 5 km
	}
	value, ok := chineseInteger(run)
	if !ok {
		return "", len(run)
	}
	if part, ok := strings.CutPrefix(text[len(run):], "点"); ok {
		decimals := part[:len(part)-len(strings.TrimLeft(part, chineseNumerals))]
		if digits, ok := plainDigits(decimals); ok {
			return number(strconv.Itoa(value)+"."+digits, 0), len(run) + len("点") + len(decimals)
		}
	}
	return number(strconv.Itoa(value), 0), len(run)
}

// chineseInteger returns the value of a run of Chinese numerals. ok is false if the run is not one
// number, such as 七八, 二三十 or 千.
func chineseInteger(run string) (value int, ok bool) {
	if digits, ok := plainDigits(run); ok {
		count := utf8.RuneCountInString(run)
		if count > 15 || count == 2 && !strings.ContainsAny(run, "零〇") {
			return 0, false
		}
		value, err := strconv.Atoi(digits)
		return value, err == nil
	}
	total, section, digit := 0, 0, -1 // section is the part below 万
	scale, myriad, zero := int(1e4), int(1e9), false
	for i, r := range run {
		by, isScale := chineseScales[r]
		switch {
		case !isScale && r != '零' && r != '〇':
			if digit >= 0 {
				return 0, false
			}
			digit = digitOf(r)
		case !isScale:
			zero = true
			if digit >= 0 {
				return 0, false
			}
		case by < 1e4:
			if by >= scale || digit < 0 && (by != 10 || i > 0 && !zero) {
				return 0, false
			}
			section += max(digit, 1) * by
			scale, digit, zero = by, -1, false
		default:
			section += max(digit, 0)
			if by >= myriad || section == 0 {
				return 0, false
			}
			total += section * by
			section, digit, zero, myriad, scale = 0, -1, false, by, by
		}
	}
	if digit > 0 && !zero && total+section > 0 {
		digit *= scale / 10 // 两千三 is 2300
	}
	return total + section + max(digit, 0), true
}

// plainDigits returns the digits of a run without 十, 百, 千, 万 and 亿, such as 二〇二四.
func plainDigits(run string) (digits string, ok bool) {
	var b strings.Builder
	for _, r := range run {
		d := digitOf(r)
		if d < 0 {
			return "", false
		}
		b.WriteByte(byte('0' + d))
	}
	return b.String(), run != ""
}

// digitOf returns the value of a Chinese digit, or -1.
func digitOf(r rune) int {
	switch at := strings.IndexRune(chineseDigits, r); {
	case r == '〇':
		return 0
	case r == '两':
		return 2
	case at >= 0:
		return at / len("零")
	}
	return -1
}
