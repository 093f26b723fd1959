#!/bin/bash
# SPDX-License-Identifier: MIT
# One file as a Slurm job array on two nodes of this machine, with a task that is killed at first:
# slurm.sh GPUENV EXAMPLES
# What prepare.sh sets is not seen from here.
# shellcheck disable=SC1091,SC2154
set -eu
source "$(dirname "$0")/prepare.sh"
PATH=$PATH:/usr/sbin
need python3 sbatch slurmctld slurmd munged
if [ "$(id -u)" -ne 0 ]; then
    echo "slurmd needs root"
    exit 77
fi

servers=()
stop()
{
    kill "${servers[@]}" 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap stop EXIT

# What a server says goes to a file; a server that ends early is seen by what follows.
serve()
{
    "$@" >>servers.log 2>&1 &
    servers+=($!)
}

free_port()
{
    /usr/bin/env python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# munged looks at all folders above its own.
chmod 755 "$work"
mkdir -m 755 munge
head -c 1024 /dev/urandom >munge/key
chmod 400 munge/key
serve munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed"

host=$(hostname -s)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
MinJobAge=300
KillWait=2
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
END
# It is loaded, and not used by anything above.
echo 'CgroupPlugin=cgroup/v1' >cgroup.conf
mkdir state spool.one spool.two
export SLURM_CONF=$work/slurm.conf

# wait_for SECONDS COMMAND...
wait_for()
{
    local tries=$(($1 * 5))
    shift
    until "$@"; do
        if [ $((tries -= 1)) -lt 0 ]; then
            head -n 60 servers.log
            squeue 2>&1 || true
            fail "waited in vain: $*"
        fi
        sleep 0.2
    done
}

is_up()
{
    [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]
}

is_empty()
{
    [ -z "$(squeue -h 2>/dev/null || echo unknown)" ]
}

wait_for 60 test -S munge/socket
serve slurmctld -D
serve slurmd -D -N one
serve slurmd -D -N two
wait_for 120 is_up

# A gpuenv that takes its time over part 3.
rm bin/gpuenv
cat >bin/gpuenv <<END
#!/bin/sh
case "\$*" in *"--shard 3/6"*)
    if [ ! -e mended ]; then
        touch at_part_3
        sleep 100
    fi
    ;;
esac
exec '$gpuenv' "\$@"
END
chmod +x bin/gpuenv

"$examples/slurm.sh" 6 parts out.f32 in.s16 "${question[@]}" | tee submitted
tasks=$(sed -n 's/^parts: job \([0-9]*\),.*/\1/p' submitted)
wait_for 90 test -e at_part_3
scancel "${tasks}_3"
wait_for 120 is_empty
cat parts/join.log
grep -q 'part 3 of 6: is not there' parts/join.log
grep -qx 'to do again: 3' parts/join.log
[ ! -e out.f32 ]

touch mended five
"$examples/slurm.sh" 6 parts out.f32 in.s16 "${question[@]}"
wait_for 120 is_empty
cat parts/join.log
cmp whole.f32 out.f32
[ ! parts/part.5-of-6.f32 -nt five ] || fail "part 5 was done again"
[ parts/part.3-of-6.f32 -nt five ]
