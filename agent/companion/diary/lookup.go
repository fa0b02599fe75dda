package diary

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"evalctl/agent/database"
	"evalctl/agent/fulltext"
)

// Limits on a search.
const (
	defaultLimit = 5
	maxLimit     = 100
	maxSpans     = 400
	maxRanked    = 2000 // only the newest days that contain a keyword are ranked
)

// DateRange is a range of dates such as 2026-11-09 to 2026-11-15, both included.
type DateRange struct{ From, To string }

// Query describes a search for days of one agent.
type Query struct {
	Agent          string      // whose days are searched
	ImportedAgent  string      // another agent whose imported days are searched, too; "": none
	Days           []DateRange // empty: all days
	Keywords       []string    // words of the user; ranks days that contain them higher
	RequireKeyword bool        // without Days, returns only days that contain a keyword
	Today          string      // current date; later days are excluded
	Limit          int         // maximum number of days; 0: 5
}

// Match is a found day. Score, in [0, 1), measures how well the keywords match.
type Match struct {
	DailySummary
	Score float64
}

// Search returns the days in the date ranges. Days that contain a keyword come first, best score
// first; then the other days, newest first. With RequireKeyword and without date ranges, only days
// that contain a keyword are returned. Stop words are ignored.
func (d *Store) Search(ctx context.Context, q Query) ([]Match, error) {
	spans, err := q.spans()
	if err != nil {
		return nil, err
	}
	limit := min(cmp.Or(max(q.Limit, 0), defaultLimit), maxLimit)
	var found []Match
	err = d.db.View(ctx, func(tx *database.Tx) (err error) {
		found, err = q.search(tx, q.Agent, search{tx: tx, spans: spans}, limit)
		if err != nil || q.ImportedAgent == "" {
			return err
		}
		imported, err := q.search(tx, q.ImportedAgent, search{tx: tx, spans: spans, onlyImported: true}, limit)
		found = append(found, imported...)
		slices.SortStableFunc(found, func(a, b Match) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Date, a.Date))
		})
		found = found[:min(len(found), limit)]
		return err
	})
	return found, err
}

// search returns the days of one agent.
func (q Query) search(tx *database.Tx, name string, s search, limit int) ([]Match, error) {
	agent, err := knownAgent(tx, name)
	if err != nil || agent == 0 {
		return nil, err
	}
	s.baseID = agent * agentStep
	terms := searchTerms(q.Keywords)
	hits, err := s.rankedHits(terms, limit)
	if err == nil && (!q.RequireKeyword || len(terms) == 0 || len(q.Days) > 0) {
		hits, err = s.addNewest(hits, limit)
	}
	if err != nil {
		return nil, err
	}
	return s.readDays(hits, name)
}

// span is a DateRange with its dates as numbers.
type span struct{ from, to int64 }

// spans returns the date ranges, newest first, without overlaps and without days after today.
func (q Query) spans() ([]span, error) {
	today, err := dateNumber(q.Today)
	if err != nil {
		return nil, fmt.Errorf("today: %w", err)
	}
	if len(q.Days) == 0 {
		return []span{{0, today}}, nil
	}
	if len(q.Days) > maxSpans {
		return nil, fmt.Errorf("asks for %d spans of days, more than %d", len(q.Days), maxSpans)
	}
	var all []span
	for _, d := range q.Days {
		from, err := dateNumber(d.From)
		if err != nil {
			return nil, err
		}
		to, err := dateNumber(d.To)
		if err != nil {
			return nil, err
		}
		if from > to {
			return nil, fmt.Errorf("date: %s is after %s", d.From, d.To)
		}
		all = append(all, span{from, min(to, today)})
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(b.to, a.to) })
	return mergeSpans(all), nil
}

// mergeSpans merges overlapping spans, which must be sorted by descending end.
func mergeSpans(all []span) (joined []span) {
	for _, s := range all {
		if n := len(joined); n > 0 && s.to >= joined[n-1].from {
			joined[n-1].from = min(joined[n-1].from, s.from)
		} else if s.from <= s.to {
			joined = append(joined, s)
		}
	}
	return joined
}

// search is a running search in the days of one agent.
type search struct {
	tx    *database.Tx
	spans []span
	// searches only imported days
	onlyImported bool
	baseID       int64 // id of the agent times agentStep; added to a date it is the id of a day
}

// hit is the id of a found day, with its score.
type hit struct {
	id    int64
	score float64
}

const newestDaysQuery = "SELECT id FROM days WHERE imported >= ? AND id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?"

// rankedHits returns the days that contain one of the terms, best score first.
func (s search) rankedHits(terms []string, limit int) ([]hit, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	var ids []int64
	var texts []string
	match := `"` + strings.Join(terms, `" OR "`) + `"` // safe, because terms consist only of letters and digits
	condition := "imported >= 0"
	if s.onlyImported {
		condition = "imported >= 1"
	}
	err := s.each(`SELECT id, folded FROM words CROSS JOIN days ON id = words.rowid AND `+condition+`
		WHERE words MATCH ? AND words.rowid BETWEEN ? AND ? ORDER BY words.rowid DESC LIMIT ?`, match, maxRanked, func(
		row database.Row) error {
		var id int64
		var text string
		if err := row.Scan(&id, &text); err != nil {
			return err
		}
		ids, texts = append(ids, id), append(texts, text)
		return nil
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	all := 0 // number of days in the spans, at most maxRanked
	if err := s.each(newestDaysQuery, s.onlyImported, maxRanked, func(database.Row) error {
		all++
		return nil
	}); err != nil {
		return nil, err
	}
	hits := make([]hit, len(ids))
	for i, score := range scores(terms, texts, max(all, len(ids))) {
		hits[i] = hit{ids[i], score}
	}
	// stable, so days with equal scores stay newest first
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return hits[:min(len(hits), limit)], nil
}

// addNewest appends the newest days that are not among the hits yet, up to the limit.
func (s search) addNewest(hits []hit, limit int) ([]hit, error) {
	known := map[int64]bool{}
	for _, h := range hits {
		known[h.id] = true
	}
	err := s.each(newestDaysQuery, s.onlyImported, limit, func(row database.Row) error {
		var id int64
		if err := row.Scan(&id); err != nil {
			return err
		}
		if !known[id] && len(hits) < limit {
			hits = append(hits, hit{id: id})
		}
		return nil
	})
	return hits, err
}

// each runs a query for each span and calls f for each row, up to a total number of rows.
func (s search) each(query string, condition any, limit int, f func(database.Row) error) error {
	for _, span := range s.spans {
		for row, err := range s.tx.Rows(query, condition, s.baseID+span.from, s.baseID+span.to, limit) {
			if err != nil {
				return err
			}
			if err := f(row); err != nil {
				return err
			}
			limit--
		}
		if limit == 0 {
			return nil
		}
	}
	return nil
}

// readDays reads the summaries of the found days.
func (s search) readDays(hits []hit, agent string) ([]Match, error) {
	var found []Match
	for _, h := range hits {
		for row, err := range s.tx.Rows("SELECT date, summary, topics, key_points FROM days WHERE id = ?", h.id) {
			if err != nil {
				return nil, err
			}
			day := DailySummary{Agent: agent}
			var topics, points string
			if err := row.Scan(&day.Date, &day.Summary, &topics, &points); err != nil {
				return nil, err
			}
			if err := cmp.Or(json.Unmarshal([]byte(topics), &day.Topics),
				json.Unmarshal([]byte(points), &day.KeyPoints)); err != nil {
				return nil, fmt.Errorf("day %s of %s: %w", day.Date, agent, err)
			}
			found = append(found, Match{DailySummary: day, Score: h.score})
		}
	}
	return found, nil
}

// scores returns the BM25 score of each text for the terms, relative to the highest possible score
// (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009). collectionSize is the
// number of texts in the whole collection. Texts of the collection that are not given contain none
// of the terms.
func scores(terms, texts []string, collectionSize int) []float64 {
	const k, b = 1.2, 0.75
	n, length := float64(collectionSize), 0.0 // length is the mean length of the texts
	for _, t := range texts {
		length += float64(len(t)) / float64(len(texts))
	}
	sums, highestScore := make([]float64, len(texts)), 0.0
	for _, term := range terms {
		if !fulltext.IsUnsegmented([]rune(term)[0]) {
			term = " " + term + " "
		}
		counts, containing := make([]float64, len(texts)), 0.0
		for i, t := range texts {
			if counts[i] = float64(strings.Count(t, term)); counts[i] > 0 {
				containing++
			}
		}
		rarity := math.Log(1 + (n-containing+0.5)/(containing+0.5))
		highestScore += rarity * (k + 1)
		for i, c := range counts {
			sums[i] += rarity * c * (k + 1) / (c + k*(1-b+b*float64(len(texts[i]))/length))
		}
	}
	for i := range sums {
		sums[i] /= highestScore
	}
	return sums
}
