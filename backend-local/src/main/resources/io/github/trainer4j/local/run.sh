# Runs one process of a job and writes down which process it is and how it ended, whatever becomes of the client.
#   $1  the path of the step's state files, without their endings
#   $2  the seconds until the job's deadline, 0 if it has none
#   $3  the seconds that processes are given when they are to end
#   $4… the program and its arguments
# It leads a session. What the program leaves behind there ends with it, as it would in a container.

# A trap, unlike an ignored signal, is not handed on to the program.
trap : TERM INT HUP

# A variable of the shell that is also one of the environment would change what the program gets: hence the odd names.
trainer4j_run_boot='' trainer4j_run_stat=''
if [ -r "/proc/$$/stat" ]; then
    IFS= read -r trainer4j_run_stat <"/proc/$$/stat"
    IFS= read -r trainer4j_run_boot </proc/sys/kernel/random/boot_id
fi
printf '%s\n%s\n%s\n' "$$" "$trainer4j_run_boot" "$trainer4j_run_stat" >"$1.process" || exit 126
# Whoever ends the job says so first: either they see the file above, or we see theirs.
if [ -e "${1%/*}/cause.json" ]; then
    exit 126
fi

if [ "$2" -gt 0 ]; then
    (
        trap '' TERM INT HUP
        sleep "$2"
        : >"${1%/*}/deadline"
        kill -s TERM -- "-$$"
        sleep "$3"
        printf '%3d\n' 137 1<>"$1.exit"
        kill -s KILL -- "-$$"
    ) </dev/null >/dev/null 2>&1 &
fi

# What the shell itself says about a program that a signal ended is no line of the program's log. The program is executed
# and not called: a call would prefer a command of the shell's own, such as its echo.
exec 3>&2 2>/dev/null
(
    shift 3
    exec "$@" 2>&3 3>&-
)
trainer4j_run_code=$?
# Overwrites blanks, and so needs no space on the disk and is seen whole or not at all.
printf '%3d\n' "$trainer4j_run_code" 1<>"$1.exit"
kill -s KILL -- "-$$"
exit "$trainer4j_run_code"
