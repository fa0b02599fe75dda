package program

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// watcher is a job that ends its processes when the last handle of it is closed: the system
// closes the one of this process when this process dies. The zero value is ready.
type watcher struct {
	mu    sync.Mutex
	begun bool
	job   windows.Handle // 0: there is none
}

// begin creates the job, once. Without one, nobody watches.
func (w *watcher) begin(string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun {
		return
	}
	w.begun = true
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return
	}
	w.job = job
}

// add puts a program into the job, and with it all that it starts from now on.
func (w *watcher) add(pid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.job == 0 {
		return
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return // it has ended
	}
	_ = windows.AssignProcessToJobObject(w.job, process) // a program that cannot be watched runs all the same
	_ = windows.CloseHandle(process)
}

func (w *watcher) remove(int) {}

// end ends all that is left in the job.
func (w *watcher) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.job != 0 {
		_ = windows.CloseHandle(w.job)
		w.job = 0
	}
}
