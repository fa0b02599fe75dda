package companion

import (
	"fmt"
	"time"

	"evalctl/agent/dates"
)

// farFuture is later than any date of a case, so that none counts as a future date.
var farFuture = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// maxDates limits the text of a case's expected dates, in bytes.
const maxDates = 1000

// checkDates checks the expected dates of a case, which must have the form of dates.Result.String.
func checkDates(list []string) error {
	for _, value := range list {
		if len(value) > maxDates {
			return fmt.Errorf("has a value of more than %d bytes", maxDates)
		}
		read, err := dates.Parse(value, farFuture)
		if err != nil || len(read.Invalid) > 0 || read.String() != value {
			return fmt.Errorf("%.60q is not a list of days such as 2026-11-19 or 2026-11-09..2026-11-15,2026-11-19",
				value)
		}
	}
	return nil
}

// checkDays checks the days that a case expects the search in the diary to find.
func checkDays(list []string) error {
	if len(list) > defaultMaxDays {
		return fmt.Errorf("has more than %d days", defaultMaxDays)
	}
	for _, value := range list {
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			return fmt.Errorf("%.60q is not a day such as 2026-11-19", value)
		}
	}
	return nil
}
