# examples/cluster/ at work.
foreach(case parallel slurm condor join)
  gpuenv_test(cluster/${case} "cluster;full" 480 ${bash_program} ${CMAKE_CURRENT_SOURCE_DIR}/cluster/${case}.sh
              $<TARGET_FILE:gpuenv> ${PROJECT_SOURCE_DIR}/examples/cluster)
endforeach()
