// Package berths books places for boats.
package berths

/*
 * Book reserves a berth for one night.
 */
func Book(length float64) error { return get("http://x/y") }
