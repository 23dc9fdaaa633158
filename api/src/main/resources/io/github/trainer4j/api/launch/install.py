"""Installs packages and then becomes the program that needs them.

Arguments: the number of words of the installing command, these words, and the words of the program's command.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile

count = int(sys.argv[1])
install = sys.argv[2 : 2 + count]
command = sys.argv[2 + count :]
env = dict(os.environ)

# Distributions mark their Python as theirs; in a container nobody else depends on it.
pip_env = dict(env, PIP_BREAK_SYSTEM_PACKAGES="1", PIP_ROOT_USER_ACTION="ignore")
if not os.access(sysconfig.get_paths()["purelib"], os.W_OK):
    # Neither root nor a file system that could be written: the packages go where anybody may write.
    for parent in (tempfile.gettempdir(), os.environ.get("TRAINJOB_WORKSPACE", "/workspace")):
        try:
            target = tempfile.mkdtemp(prefix=".packages-", dir=parent)
            break
        except OSError as error:
            print(f"cannot install packages in {parent}: {error}", file=sys.stderr, flush=True)
    else:
        sys.exit(1)
    # Not every user of a container has a home that exists.
    pip_env.update(HOME=target, PIP_TARGET=target, PIP_NO_CACHE_DIR="1")
    env["PYTHONPATH"] = os.pathsep.join(filter(None, (target, env.get("PYTHONPATH"))))
    env["PATH"] = os.path.join(target, "bin") + os.pathsep + env.get("PATH", os.defpath)

code = subprocess.call(install, env=pip_env)
if code != 0:
    print("packages could not be installed: see above", file=sys.stderr, flush=True)
    sys.exit(code)
os.execvpe(command[0], command, env)
