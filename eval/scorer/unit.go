package scorer

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// units lists the spellings of units, in normalized form. The first spelling represents the unit.
var units = [][]string{
	// Time.
	{"millisecond", "milliseconds", "ms", "毫秒"},
	{"second", "seconds", "sec", "s", "秒", "秒钟"},
	{"minute", "minutes", "mins", "min", "分钟"},
	{"quarter of an hour", "quarters of an hour", "刻钟"},
	{"hour", "hours", "hrs", "hr", "h", "小时", "个小时", "钟头", "个钟头"},
	{"day", "days", "天"},
	{"week", "weeks", "周", "星期", "个星期", "礼拜", "个礼拜"},
	{"month", "months", "个月"},
	{"year", "years", "yr", "yrs", "年"},
	{"日", "号"},
	// Length and area.
	{"nanometre", "nanometres", "nanometer", "nanometers", "nm", "纳米"},
	{"micrometre", "micrometres", "micrometer", "micrometers", "μm", "um", "微米"},
	{"millimetre", "millimetres", "millimeter", "millimeters", "mm", "毫米"},
	{"centimetre", "centimetres", "centimeter", "centimeters", "cm", "厘米", "公分"},
	{"metre", "metres", "meter", "meters", "m", "米"},
	{"kilometre", "kilometres", "kilometer", "kilometers", "km", "公里", "千米"},
	{"square metre", "square metres", "square meter", "square meters", "m^2", "m2", "sqm", "平方米", "平米"},
	{"square kilometre", "square kilometres", "square kilometer", "square kilometers", "km^2", "km2", "平方公里",
		"平方千米"},
	{"hectare", "hectares", "ha", "公顷"},
	// Mass and volume.
	{"microgram", "micrograms", "μg", "ug", "微克"},
	{"milligram", "milligrams", "mg", "毫克"},
	{"gram", "grams", "g", "克"},
	{"kilogram", "kilograms", "kilos", "kilo", "kg", "公斤", "千克"},
	{"tonne", "tonnes", "t", "吨"},
	{"millilitre", "millilitres", "milliliter", "milliliters", "ml", "毫升"},
	{"litre", "litres", "liter", "liters", "l", "升", "公升"},
	{"cubic metre", "cubic metres", "cubic meter", "cubic meters", "m^3", "m3", "立方米"},
	// Temperature, frequency and electricity.
	{"°c", "degrees celsius", "degree celsius", "degrees centigrade", "degrees c", "摄氏度"},
	{"hertz", "hz", "赫", "赫兹"},
	{"kilohertz", "khz", "千赫", "千赫兹"},
	{"watt", "watts", "w", "瓦", "瓦特"},
	{"kilowatt", "kilowatts", "kw", "千瓦"},
	{"volt", "volts", "v", "伏", "伏特"},
	{"millivolt", "millivolts", "mv", "毫伏"},
	// Shares.
	{"percentage point", "percentage points", "pp", "百分点", "个百分点"},
	// Currencies.
	{"euro", "euros", "eur", "€", "欧元"},
	{"dollar", "dollars", "usd", "us dollars", "美元", "美金"},
	{"pound", "pounds", "gbp", "pounds sterling", "£", "英镑"},
	{"yuan", "cny", "rmb", "¥", "元", "块", "块钱", "元钱", "元人民币"},
	{"yen", "jpy", "日元"},
}

// measures maps units to a smaller unit and the number of these in one, as an integer and a power of ten. Months, whose
// number of days varies, are not days.
var measures = map[string]measure{
	"millisecond": {"second", 1, -3}, "second": {"second", 1, 0}, "minute": {"second", 6, 1}, "hour": {"second", 36, 2},
	"quarter of an hour": {"second", 9, 2}, "day": {"second", 864, 2}, "week": {"second", 6048, 2},
	"month": {"month", 1, 0}, "year": {"month", 12, 0},
	"nanometre": {"metre", 1, -9}, "micrometre": {"metre", 1, -6}, "millimetre": {"metre", 1, -3},
	"centimetre": {"metre", 1, -2}, "metre": {"metre", 1, 0}, "kilometre": {"metre", 1, 3},
	"square metre": {"square metre", 1, 0}, "hectare": {"square metre", 1, 4}, "square kilometre": {"square metre", 1, 6},
	"microgram": {"gram", 1, -6}, "milligram": {"gram", 1, -3}, "gram": {"gram", 1, 0}, "kilogram": {"gram", 1, 3},
	"tonne": {"gram", 1, 6}, "millilitre": {"litre", 1, -3}, "litre": {"litre", 1, 0}, "cubic metre": {"litre", 1, 3},
	"hertz": {"hertz", 1, 0}, "kilohertz": {"hertz", 1, 3}, "watt": {"watt", 1, 0}, "kilowatt": {"watt", 1, 3},
	"millivolt": {"volt", 1, -3}, "volt": {"volt", 1, 0},
}

type measure struct {
	unit      string
	mantissa  int64
	magnitude int
}

// inBaseUnits returns the wording with each amount in its base unit: 2 hours and 120 minutes are 7,200 seconds. ok is
// false if the wording has no amount with such a unit.
func (w wording) inBaseUnits() (_ wording, ok bool) {
	base := wording{tokens: slices.Clone(w.tokens)}
	var form strings.Builder
	before := 0
	for i, t := range w.tokens {
		text := w.form[t.at:t.end]
		if i+1 < len(w.tokens) && w.tokens[i+1].kind == unitOf && t.kind == figure {
			if m, known := measures[w.form[w.tokens[i+1].at:w.tokens[i+1].end]]; known {
				text, ok = m.multiply(text), true
			}
		}
		if t.kind == unitOf && i > 0 && w.tokens[i-1].kind == figure {
			text = cmp.Or(measures[text].unit, text)
		}
		form.WriteString(w.form[before:t.at])
		base.tokens[i].at = form.Len()
		form.WriteString(text)
		base.tokens[i].end, before = form.Len(), t.end
	}
	base.form = form.String()
	return base, ok
}

// multiply converts a number in canonical form to the base unit. Other texts, such as 1.2.3, remain.
func (m measure) multiply(value string) string {
	mantissa, exponent, _ := strings.Cut(value, "e")
	digits, isInteger := new(big.Int).SetString(mantissa, 10)
	tens, err := strconv.Atoi(exponent)
	if !isInteger || err != nil {
		return value
	}
	return number(digits.Mul(digits, big.NewInt(m.mantissa)).String(), tens+m.magnitude)
}

// unitNames maps the first character of each spelling to the spellings that start with it.
var unitNames = func() map[rune][]unitName {
	names := map[rune][]unitName{}
	for _, spellings := range units {
		for _, s := range spellings {
			r, _ := utf8.DecodeRuneInString(s)
			names[r] = append(names[r], unitName{spelling: s, unit: spellings[0]})
		}
	}
	return names
}()

type unitName struct{ spelling, unit string }

// longestSymbol is the maximum length of a spelling that is a unit only next to a number, in bytes.
// Longer spellings are units everywhere.
const longestSymbol = 3

// readUnit returns the unit whose name is at the start of text, and the length of the name in
// bytes; "" if there is none. The longest name is used.
func readUnit(text string) (unit string, n int) {
	r, _ := utf8.DecodeRuneInString(text)
	for _, name := range unitNames[r] {
		rest, ok := strings.CutPrefix(text, name.spelling)
		if !ok || len(name.spelling) <= n {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(name.spelling)
		next, _ := utf8.DecodeRuneInString(rest)
		if alphabetic(last) && (partOfWord(next) || unicode.IsDigit(next)) {
			continue // only the start of another word
		}
		unit, n = name.unit, len(name.spelling)
	}
	return unit, n
}

// currencySigns maps the signs and codes before an amount to the unit.
var currencySigns = map[string]string{
	"€": "euro", "eur": "euro", "$": "dollar", "us$": "dollar", "usd": "dollar", "£": "pound", "gbp": "pound",
	"¥": "yuan", "cny": "yuan", "rmb": "yuan", "jpy": "yen",
}

// readCurrency parses a currency before a number, as in €340 and EUR 340. It returns the length of
// the currency and of the space after it. A number between two dollar signs is a formula.
func readCurrency(text string) (unit string, n int) {
	for n = range min(len(text), longestSymbol) {
		if unit = currencySigns[text[:n+1]]; unit != "" {
			break
		}
	}
	if unit == "" {
		return "", 0
	}
	rest := strings.TrimLeft(text[n+1:], " *")
	if rest == "" || !startsNumber(rest, 0) {
		return "", 0
	}
	if _, size := readNumber(rest); strings.HasPrefix(rest[size:], "$") {
		return "", 0
	}
	return unit, len(text) - len(rest)
}

// startsUnitName reports whether text starts with a unit such as 千米, whose first character is also
// a numeral.
func startsUnitName(text string) bool {
	unit, _ := readUnit(text)
	return unit != ""
}
