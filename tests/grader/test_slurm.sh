#!/bin/sh
# A class on Slurm: a real one-node Slurm is started here, in a folder of its own, and stopped after.
# Skipped where Slurm is not installed (slurmctld, slurmd, slurm-client, munge) or the user is not
# root; REQUIRE_SLURM=1 makes that a failure.
. "$(dirname "$0")/kit/make.sh"
set -u

for program in slurmctld slurmd sbatch squeue munged; do
    if ! command -v $program >/dev/null || [ "$(id -u)" != 0 ]; then
        echo "skipped: needs root and $program"
        [ -z "${REQUIRE_SLURM:-}" ]
        exit
    fi
done

S=$KIT/slurm
name=$(hostname -s)
cores=$(nproc)
mkdir -p "$S/state" "$S/spool"
head -c 1024 /dev/urandom >"$S/munge.key"
chmod 700 "$S"
chmod 400 "$S/munge.key"
cat >"$S/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$name(127.0.0.1)
SlurmUser=root
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$S/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$S/state
SlurmdSpoolDir=$S/spool
SlurmctldPidFile=$S/slurmctld.pid
SlurmdPidFile=$S/slurmd.pid
SlurmctldLogFile=$S/slurmctld.log
SlurmdLogFile=$S/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=2
GresTypes=gpu
ReturnToService=2
NodeName=$name NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN Gres=gpu:1
PartitionName=main Nodes=$name Default=YES MaxTime=INFINITE State=UP
END
echo "Name=gpu File=/dev/null" >"$S/gres.conf"
export SLURM_CONF="$S/slurm.conf"
munged --foreground --force --key-file="$S/munge.key" --socket="$S/munge.socket" \
    --pid-file="$S/munge.pid" --log-file="$S/munge.log" --seed-file="$S/munge.seed" \
    >/dev/null 2>&1 &
pids=$!
slurmctld -D >/dev/null 2>&1 &
pids="$pids $!"
slurmd -D -N "$name" >/dev/null 2>&1 &
pids="$pids $!"
trap 'kill $pids 2>/dev/null; wait 2>/dev/null; chmod -R u+w "$KIT"; rm -rf "$KIT"' EXIT
tries=0
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    tries=$((tries + 1))
    if [ $tries -gt 600 ]; then
        tail -5 "$S/slurmctld.log" "$S/slurmd.log"
        rc=9 out=
        expect "Slurm comes up" 0
        finish
        exit 1
    fi
    sleep 0.5
done

mkdir "$KIT/class"
i=0
while [ $i -lt 9 ]; do
    sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/class/s$i.cu"
    [ $((i % 3)) = 1 ] && echo "__device__ int fake_wrong = 1;" >>"$KIT/class/s$i.cu"
    i=$((i + 1))
done
grade lab90 --submissions "$KIT/class" --report "$KIT/plain" --seed 5
expect "without Slurm" 0
grade lab90 --submissions "$KIT/class" --report "$KIT/array" --seed 5 --slurm 3
expect "an array of three tasks" 0 "Slurm job" "3 tasks" "6 of 9: full marks"
cmp -s "$KIT/plain/grades.csv" "$KIT/array/grades.csv" || rc=9
expect "the same gradebook" 0
grade lab90 --submissions "$KIT/class" --report "$KIT/gpus" --seed 5 --slurm 2 --gpus
expect "with a GPU a task" 0 "6 of 9: full marks"
grep -q "slice" "$KIT/array/slurm.sh" && [ -f "$KIT/array/slurm-2.log" ] || rc=9
out=$(cat "$KIT"/array/slurm-*.log) # a task that cannot grade says so
[ -z "$out" ] || rc=9
expect "the tasks did the work" 0
finish
