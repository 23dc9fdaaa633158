# Runs one process of a job and writes down which process it is and how it ended, whatever becomes of the client.
#   $1  the path of the step's state files, without their endings
#   $2  the seconds until the job's deadline, 0 if it has none
#   $3  the seconds that processes are given when they are to end
#   $4… the program and its arguments
# It leads a session. What the program leaves behind there ends with it, as it would in a container.
step=$1 seconds=$2 grace=$3
shift 3
state=${step%/*}

# A trap, unlike an ignored signal, is not handed on to the program.
trap : TERM INT HUP

boot='' stat=''
if [ -r "/proc/$$/stat" ]; then
    IFS= read -r stat <"/proc/$$/stat"
    IFS= read -r boot </proc/sys/kernel/random/boot_id
fi
printf '%s\n%s\n%s\n' "$$" "$boot" "$stat" >"$step.process" || exit 126
# Whoever ends the job says so first: either they see the file above, or we see theirs.
if [ -e "$state/cause.json" ]; then
    exit 126
fi

if [ "$seconds" -gt 0 ]; then
    (
        trap '' TERM INT HUP
        sleep "$seconds"
        : >"$state/deadline"
        kill -s TERM -- "-$$"
        sleep "$grace"
        printf '%3d\n' 137 1<>"$step.exit"
        kill -s KILL -- "-$$"
    ) </dev/null >/dev/null 2>&1 &
fi

# What the shell itself says about a program that a signal ended is no line of the program's log.
exec 3>&2 2>/dev/null
"$@" 2>&3 3>&-
code=$?
# Overwrites blanks, and so needs no space on the disk and is seen whole or not at all.
printf '%3d\n' "$code" 1<>"$step.exit"
kill -s KILL -- "-$$"
exit "$code"
