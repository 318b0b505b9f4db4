package e2e

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo terminal: the end that a person sits at, and the end that a program runs on.
func (w *world) terminal() (person, program *os.File) {
	w.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	w.must(person, err)
	descriptor := int(person.Fd())
	w.must(nil, unix.IoctlSetPointerInt(descriptor, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(descriptor, unix.TIOCGPTN)
	w.must(number, err)
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	w.must(program, err)
	return person, program
}
